import { WalletError } from '../errors/walletFailure.ts'

/** Validates a transaction hash from a wallet: 0x and 64 hex digits. */
export function transactionHash(answer: unknown): string {
  if (typeof answer === 'string' && /^0x[0-9a-f]{64}$/i.test(answer)) return answer
  throw new WalletError('unreadable', 'The wallet named no transaction hash')
}

/** Validates a signature: 0x and at least 31 whole bytes. Contract wallets return longer signatures than keys. */
export function signatureOf(answer: unknown): string {
  if (typeof answer === 'string' && /^0x([0-9a-f]{2}){31,}$/i.test(answer)) return answer
  throw new WalletError('unreadable', 'The wallet answered no signature')
}
