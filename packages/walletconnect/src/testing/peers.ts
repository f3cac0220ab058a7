import type { Environment, KeyValueStorage } from '../environment.ts'
import type { RelayOptions } from '../relay/relayAddress.ts'
import type { ApprovedNamespaces, ProposedNamespaces } from '../sign/namespaces.ts'
import type { PairRequest } from '../sign/pairRequest.ts'
import type { Session } from '../sign/session.ts'
import { createSignClient, type SignListener } from '../sign/signClient.ts'
import { createWalletClient } from '../sign/walletClient.ts'
import type { WalletListener } from '../sign/walletListener.ts'
import type { TestRelay } from './testRelay.ts'

const address = '0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb'

export const account = (chainId: string): string => `${chainId}:${address}`

export const proposed: ProposedNamespaces = {
  eip155: {
    chains: ['eip155:1', 'eip155:10'],
    methods: ['personal_sign', 'eth_sendTransaction'],
    events: ['accountsChanged', 'chainChanged'],
  },
}

export const approved: ApprovedNamespaces = {
  eip155: {
    chains: ['eip155:1'],
    accounts: [account('eip155:1')],
    methods: ['personal_sign', 'eth_sendTransaction'],
    events: ['accountsChanged', 'chainChanged'],
  },
}

export function createStorage(): KeyValueStorage & { readonly values: Map<string, string> } {
  const values = new Map<string, string>()
  return {
    values,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  }
}

/** Returns the options of a client that uses relays of the test, without jitter. */
export function clientOptions(name: string, relays: readonly TestRelay[], given: Partial<Environment> = {}) {
  const [first, ...others] = relays.map(({ url }): RelayOptions => ({ url, projectId: 'ab'.repeat(16) }))
  if (!first) throw new Error('no relay')
  return {
    relays: [first, ...others] as const,
    metadata: { name, description: '', url: `https://${name}.test`, icons: [] },
    environment: {
      storage: createStorage(),
      random: () => 1,
      openSocket(url: string) {
        const relay = relays.find((candidate) => url.startsWith(candidate.url))
        if (!relay) throw new Error('no such relay')
        return relay.openSocket(url)
      },
      ...given,
    },
  }
}

export function createSite(
  relays: readonly TestRelay[],
  listener?: SignListener,
  given?: Partial<Environment>,
) {
  return createSignClient(clientOptions('site', relays, given), listener)
}

/** Creates a wallet that approves every proposal unless the listener says otherwise. */
export function createWallet(
  relays: readonly TestRelay[],
  listener: WalletListener = {},
  given?: Partial<Environment>,
) {
  return createWalletClient(clientOptions('wallet', relays, given), {
    proposed: (proposal) => void proposal.approve({ namespaces: approved }),
    ...listener,
  })
}

/** Connects a site and a wallet through a relay. */
export async function connectPeers(
  relays: readonly TestRelay[],
  listeners: { site?: SignListener; wallet?: WalletListener } = {},
  request: Partial<PairRequest> = {},
) {
  const storage = createStorage()
  const site = createSite(relays, listeners.site, { storage })
  const wallet = createWallet(relays, listeners.wallet)
  const pairing = site.pair({ optionalNamespaces: proposed, ...request })
  wallet.pair(pairing.uri)
  const session: Session = await pairing.approval
  return { site, wallet, session, storage }
}
