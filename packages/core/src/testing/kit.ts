import { connect } from '../connection/connect.ts'
import { followLogin } from '../connection/session.ts'
import { createHawser } from '../createHawser.ts'
import { createEvmAdapter } from '../evm/evmAdapter.ts'
import { defineNetwork } from '../network/network.ts'
import type { ConnectorFactory } from '../types/connector.ts'
import type { HawserEvent } from '../types/events.ts'
import type { Hawser } from '../types/hawser.ts'
import type { HawserOptions } from '../types/options.ts'
import { createFakeClock, type FakeClock } from './fakeClock.ts'
import { pinnedContracts } from './fakeConversions.ts'
import { createFakeGateway, type FakeGateway } from './fakeGateway.ts'
import { createFakeWallet, type FakeWallet } from './fakeWallet.ts'
import { createMemoryStorage } from './memoryStorage.ts'

const ether = { name: 'Ether', symbol: 'ETH', decimals: 18 }

export const devnet = defineNetwork({
  id: 31337,
  name: 'Devnet',
  nativeCurrency: ether,
  blockExplorers: { default: { name: 'Explorer', url: 'https://explorer.test/' } },
  testnet: true,
})

export const devnetTwo = defineNetwork({
  id: 31338,
  name: 'Devnet Two',
  nativeCurrency: ether,
  rpcUrls: { default: { http: ['http://127.0.0.1:8546'] } },
  testnet: true,
})

/** A kit with a clock, a gateway, a storage and one wallet that a test owns. */
export interface Kit {
  readonly hawser: Hawser
  readonly clock: FakeClock
  readonly gateway: FakeGateway
  readonly wallet: FakeWallet
  readonly storage: ReturnType<typeof createMemoryStorage>
  /** Every event since the kit was created. */
  readonly events: HawserEvent[]
  eventNames(): string[]
}

export function createKit(options: Partial<HawserOptions> = {}, wallet = createFakeWallet()): Kit {
  const clock = createFakeClock()
  const gateway = createFakeGateway()
  const storage = createMemoryStorage()
  const hawser = createHawser({
    projectId: '00000000000000000000000000000001',
    baseUrl: 'http://gateway.test',
    networks: [devnet, devnetTwo],
    connectors: [offer(wallet)],
    clock,
    storage,
    swapContracts: pinnedContracts,
    fetch: gateway.fetch,
    ...options,
    // Off unless a test enables it, so that a test sees only the requests that it tests.
    features: { analytics: false, ...options.features },
  })
  // Loaded at once, so that a test sees no import between two steps.
  hawser.adapters.set('eip155', createEvmAdapter(clock))
  hawser.sessions.subscribe(followLogin)
  const events: HawserEvent[] = []
  hawser.events.subscribe((event) => events.push(event))
  return {
    hawser,
    clock,
    gateway,
    wallet,
    storage,
    events,
    eventNames: () => events.map(({ event }) => event),
  }
}

/** Lists one wallet, as discovery would. */
export function offer({ connector }: FakeWallet): ConnectorFactory {
  return (context) => {
    context.add(connector)
    return () => undefined
  }
}

/** Creates a kit that is mounted, with its wallet connected. */
export async function createConnectedKit(
  options: Partial<HawserOptions> = {},
  wallet?: FakeWallet,
): Promise<Kit> {
  const kit = createKit(options, wallet)
  kit.hawser.mount()
  await connect(kit.hawser, { connector: kit.wallet.connector })
  return kit
}
