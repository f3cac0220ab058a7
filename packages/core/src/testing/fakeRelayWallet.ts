import type { Pairing, PairOptions, RelaySession } from '../types/connector.ts'
import type { FakeClock } from './fakeClock.ts'
import { ALICE, createFakeWallet, deferred, type FakeWallet, walletError } from './fakeWallet.ts'

/** A wallet behind a relay, with pairings that a test approves, rejects or lets expire. */
export interface FakeRelayWallet extends FakeWallet {
  readonly pairings: FakePairing[]
  /** What `getSession` returns. */
  session: RelaySession | undefined
  /** Makes the next pairings fail. */
  pairError: Error | undefined
}

interface FakePairing {
  readonly uri: string
  readonly options: PairOptions
  isCancelled: boolean
  approve(session?: Partial<RelaySession>): void
  reject(error: Error): void
}

/** How long the URI of a pairing is valid, in milliseconds. */
const URI_LIFETIME_MS = 300_000

export function createFakeRelayWallet(clock: () => FakeClock): FakeRelayWallet {
  const base = createFakeWallet()
  const wallet: FakeRelayWallet = Object.assign(base, {
    pairings: [],
    session: undefined,
    pairError: undefined,
    connector: {
      ...base.connector,
      id: 'walletConnect',
      name: 'WalletConnect',
      type: 'WALLET_CONNECT' as const,
      info: {},
      relays: ['own' as const],
      pair,
      getSession: async () => wallet.session,
      disconnect: async () => {
        wallet.session = undefined
      },
    },
  })
  wallet.answers.eth_accounts = () => (wallet.session ? wallet.accounts : [])
  wallet.answers.eth_requestAccounts = () => (wallet.session ? wallet.accounts : [])

  async function pair(options: PairOptions): Promise<Pairing> {
    if (wallet.pairError) throw wallet.pairError
    const approval = deferred<RelaySession>()
    approval.promise.catch(() => undefined)
    const pairing: FakePairing = {
      uri: `wc:${wallet.pairings.length}@2`,
      options,
      isCancelled: false,
      approve(fields) {
        wallet.session = { ...relaySession, ...fields }
        approval.resolve(wallet.session)
      },
      reject: approval.reject,
    }
    wallet.pairings.push(pairing)
    const stop = clock().after(URI_LIFETIME_MS, () => approval.reject(walletError(8000, 'Expired')))
    approval.promise.then(stop, stop)
    return {
      uri: pairing.uri,
      expiresAt: clock().now() + URI_LIFETIME_MS,
      approval: approval.promise,
      cancel() {
        pairing.isCancelled = true
        approval.reject(walletError(6000, 'Cancelled'))
      },
    }
  }

  return wallet
}

export const relaySession: RelaySession = {
  topic: 'ab'.repeat(32),
  accounts: [`eip155:31337:${ALICE}`],
  approvedNetworkIds: ['eip155:31337'],
  supportsAllNetworks: false,
  methods: ['eth_sendTransaction', 'personal_sign'],
  expiresAt: 2_000_000_000_000,
  peer: { name: 'Phone Wallet', url: 'https://wallet.test', icons: ['https://wallet.test/icon.png'] },
}
