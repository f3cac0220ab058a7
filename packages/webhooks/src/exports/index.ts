export type {
  NameRegistered,
  OrderChanged,
  SessionGranted,
  SessionRevoked,
  TransactionConfirmed,
  TransactionFailed,
  UserCreated,
  WalletConnected,
  WebhookEvent,
} from '../events.ts'
export {
  verifyWebhook,
  type WebhookBody,
  WebhookError,
  type WebhookHeaders,
  type WebhookOptions,
} from '../verify.ts'
