import { rememberRecentWallet } from '../connectors/recentWallets.ts'
import { PAIRING_LIFETIME_MS } from '../constants.ts'
import { items } from '../storage/items.ts'
import type { Hawser } from '../types/hawser.ts'

/** A pairing this close to its end is not worth opening a wallet for. */
const PAIRING_MARGIN_MS = 10_000

/** Shows a wallet-connect pairing for the next 4 minutes. */
export function setPairingUri(hawser: Hawser, wcUri: string): void {
  hawser.connection.setState({ wcUri, wcPairingExpiry: hawser.clock.now() + PAIRING_LIFETIME_MS })
}

/** @param expiry Unix milliseconds; a pairing without one has expired. */
export function isPairingExpired(expiry: number | undefined, now: number): boolean {
  return expiry === undefined || expiry - now <= PAIRING_MARGIN_MS
}

/** Ends a wallet-connect connection well: remembers the link and the wallet that were used, and tells of it. */
export function finalizePairing(hawser: Hawser): void {
  const { wcLinking, recentWallet } = hawser.connection.getState()
  if (wcLinking) hawser.storage.write(items.deepLink, wcLinking)
  if (recentWallet) rememberRecentWallet(hawser, recentWallet)
  hawser.events.emit({
    event: 'CONNECT_SUCCESS',
    properties: {
      method: wcLinking ? 'mobile' : 'qrcode',
      name: recentWallet?.name ?? wcLinking?.name ?? 'WalletConnect',
    },
  })
}
