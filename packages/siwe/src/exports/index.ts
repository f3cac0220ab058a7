export {
  type AuthClient,
  type AuthClientOptions,
  AuthError,
  type AuthSession,
  type Cacao,
  createAuthClient,
  type Nonce,
  type Proof,
} from '../authClient.ts'
export { formatMessage, MessageError, parseMessage, type SignInMessage } from '../message.ts'
export type { KeyValueStorage } from '../sessionStore.ts'
export {
  formatSiweMessage,
  type SiweMessageArguments,
  type SiweMessageParams,
  type SiweOptions,
  siweToSiwx,
} from '../siwe.ts'
export { createSiwx, type Siwx, type SiwxMessage, type SiwxOptions, type SiwxSession } from '../siwx.ts'
