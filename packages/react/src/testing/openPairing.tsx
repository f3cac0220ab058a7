import type { HawserOptions, Relay } from '@hawser/core'
import {
  createFakeRelayWallet,
  createKit,
  type FakeDirectoryEntry,
  type FakeRelayWallet,
  type Kit,
  offer,
} from '@hawser/core/testing'
import { type OpenKit, renderPage } from './openKit.tsx'

export interface PairingPage extends OpenKit {
  readonly phone: FakeRelayWallet
}

export const wallet = (n: number, fields: Partial<FakeDirectoryEntry> = {}): FakeDirectoryEntry => ({
  id: String(n).padStart(64, '0'),
  name: `Wallet ${n}`,
  relays: ['own'],
  ...fields,
})

/** Renders a disconnected page of a site that pairs wallets. */
export function renderPairing(
  options: Partial<HawserOptions> = {},
  wallets: readonly FakeDirectoryEntry[] = [],
  relays: readonly Relay[] = ['own'],
): PairingPage {
  const phone = createFakeRelayWallet(() => kit.clock, relays)
  const kit: Kit = createKit({ connectors: [offer(phone)], ...options })
  kit.gateway.wallets = wallets
  return { ...renderPage(kit), phone }
}
