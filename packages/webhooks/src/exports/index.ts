export type {
  NameRegistered,
  OrderChanged,
  SessionGranted,
  SessionRevoked,
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
