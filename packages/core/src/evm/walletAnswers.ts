import { WalletError } from '../errors/walletFailure.ts'

/** Reads the hash that a wallet answers to a transaction: 0x and 64 hex digits. */
export function transactionHash(answer: unknown): string {
  if (typeof answer === 'string' && /^0x[0-9a-f]{64}$/i.test(answer)) return answer
  throw new WalletError('unreadable', 'The wallet named no transaction hash')
}

/** Reads a signature: 0x and whole bytes, 31 at least. Contract wallets answer longer ones than keys do. */
export function signatureOf(answer: unknown): string {
  if (typeof answer === 'string' && /^0x([0-9a-f]{2}){31,}$/i.test(answer)) return answer
  throw new WalletError('unreadable', 'The wallet answered no signature')
}
