import type { Handoff, Pairing, PairOptions, Relay, RelaySession } from '../types/connector.ts'
import type { FakeClock } from './fakeClock.ts'
import { ALICE, createFakeWallet, deferred, type FakeWallet, walletError } from './fakeWallet.ts'

/** A wallet behind a relay, with pairings and hand-offs that a test approves, rejects or lets expire. */
export interface FakeRelayWallet extends FakeWallet {
  readonly pairings: FakePairing[]
  /** What `getSession` returns. */
  session: RelaySession | undefined
  readonly handoffs: FakeHandoff[]
  /** Makes the next pairings and hand-offs fail. */
  pairError: Error | undefined
}

interface FakeHandoff extends FakePairing {
  isConfirmed: boolean
  /** Opens the page in the wallet, which shows these digits. */
  open(digits: string): void
  /** Opens it on another device. */
  scanAgain(): void
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
/** How long a hand-off can be claimed, in milliseconds. */
const HANDOFF_LIFETIME_MS = 240_000

export function createFakeRelayWallet(
  clock: () => FakeClock,
  relays: readonly Relay[] = ['own'],
): FakeRelayWallet {
  const base = createFakeWallet()
  const wallet: FakeRelayWallet = Object.assign(base, {
    pairings: [],
    handoffs: [],
    session: undefined,
    pairError: undefined,
    connector: {
      ...base.connector,
      id: 'walletConnect',
      name: 'WalletConnect',
      type: 'WALLET_CONNECT' as const,
      info: {},
      relays,
      pair,
      handOff,
      getSession: async () => wallet.session,
      disconnect: async () => {
        wallet.session = undefined
      },
    },
  })
  wallet.answers.eth_accounts = () => (wallet.session ? wallet.accounts : [])
  wallet.answers.eth_requestAccounts = () => (wallet.session ? wallet.accounts : [])

  async function pair(options: PairOptions): Promise<Pairing> {
    const { pairing, offered } = start(`wc:${wallet.pairings.length}@2`, URI_LIFETIME_MS, options)
    wallet.pairings.push(pairing)
    return offered
  }

  async function handOff(options: PairOptions): Promise<Handoff> {
    const page = `https://gateway.test/open/${wallet.handoffs.length}`
    const { pairing, offered, keep } = start(page, HANDOFF_LIFETIME_MS, options)
    const digits = deferred<string>()
    digits.promise.catch(() => undefined)
    offered.approval.catch(digits.reject)
    const secondScan = deferred<void>()
    const handoff = Object.assign(pairing, {
      isConfirmed: false,
      open: digits.resolve,
      scanAgain: () => secondScan.resolve(),
    })
    wallet.handoffs.push(handoff)
    return Object.assign(offered, {
      digits: digits.promise,
      secondScan: secondScan.promise,
      confirm() {
        handoff.isConfirmed = true
        keep()
      },
    })
  }

  function start(uri: string, lifetime: number, options: PairOptions) {
    if (wallet.pairError) throw wallet.pairError
    const approval = deferred<RelaySession>()
    approval.promise.catch(() => undefined)
    const pairing: FakePairing = {
      uri,
      options,
      isCancelled: false,
      approve(fields) {
        wallet.session = { ...relaySession, ...fields }
        approval.resolve(wallet.session)
      },
      reject: approval.reject,
    }
    const stop = clock().after(lifetime, () => approval.reject(walletError(8000, 'Expired')))
    approval.promise.then(stop, stop)
    const offered: Pairing = {
      uri,
      expiresAt: clock().now() + lifetime,
      approval: approval.promise,
      cancel() {
        pairing.isCancelled = true
        approval.reject(walletError(6000, 'Cancelled'))
      },
    }
    return { pairing, offered, keep: stop }
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
