import '../connected.ts'
import { embeddedWallet } from '../embedded/wallet.ts'
import type { EmbeddedWallet } from '../types/embeddedWallet.ts'
import type { Hawser } from '../types/hawser.ts'

/**
 * Returns the wallet of a connected page that keeps contacts.
 *
 * @throws Error as `embeddedWallet` does
 */
export function contactsWallet(hawser: Hawser): Promise<EmbeddedWallet> {
  return embeddedWallet(hawser)
}
