import type { HawserOptions } from '../types/options.ts'
import { createFakeRelayWallet, type FakeRelayWallet } from './fakeRelayWallet.ts'
import { createKit, type Kit, offer } from './kit.ts'

/** A kit with a wallet behind a relay. */
export interface PairingKit extends Kit {
  readonly phone: FakeRelayWallet
  readonly state: () => ReturnType<Kit['hawser']['connection']['getState']>
}

export function createPairingKit(options: Partial<HawserOptions> = {}): PairingKit {
  const phone = createFakeRelayWallet(() => kit.clock)
  const kit: Kit = createKit({ connectors: [offer(phone)], ...options })
  kit.hawser.mount()
  return { ...kit, phone, state: () => kit.hawser.connection.getState() }
}
