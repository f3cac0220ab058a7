import type { Connector } from '../types/connector.ts'
import type { Eip1193Provider } from '../types/providers.ts'

export interface WalletCall {
  readonly method: string
  readonly params: readonly unknown[]
}

type Answer = (params: readonly unknown[]) => unknown

/** An EIP-1193 wallet with an account, a chain, and answers that a test may replace. It answers accounts in lower case, as most do. */
export interface FakeWallet {
  readonly connector: Connector
  readonly calls: WalletCall[]
  accounts: string[]
  chainId: number
  /** Chains that the wallet supports; requests for others fail with 4902. */
  readonly known: Set<number>
  readonly answers: Record<string, Answer>
  /** Emits an event to the page. */
  emit(event: string, payload: unknown): void
  listenerCount(): number
}

export const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Returns an error as a wallet throws it. */
export function walletError(code: number, message: string): Error & { code: number } {
  return Object.assign(new Error(message), { code })
}

export function createFakeWallet(fields: Partial<Connector> = {}): FakeWallet {
  const listeners = new Map<string, Set<(payload: never) => void>>()

  const wallet: FakeWallet = {
    calls: [],
    accounts: [ALICE],
    chainId: 31337,
    known: new Set([31337, 31338]),
    answers: {
      eth_requestAccounts: () => wallet.accounts.map((address) => address.toLowerCase()),
      eth_accounts: () => wallet.accounts.map((address) => address.toLowerCase()),
      eth_chainId: () => `0x${wallet.chainId.toString(16)}`,
      wallet_switchEthereumChain: ([target]) => switchTo(target),
      wallet_addEthereumChain: ([target]) => void wallet.known.add(chainIdIn(target)),
      wallet_revokePermissions: () => null,
      eth_sendTransaction: () => `0x${'ab'.repeat(32)}`,
    },
    connector: {
      id: 'org.example.wallet',
      name: 'Example Wallet',
      type: 'ANNOUNCED',
      chain: 'eip155',
      info: { rdns: 'org.example.wallet' },
      getProvider: async () => provider,
      ...fields,
    },
    emit(event, payload) {
      for (const listener of [...(listeners.get(event) ?? [])]) listener(payload as never)
    },
    listenerCount: () => [...listeners.values()].reduce((count, set) => count + set.size, 0),
  }

  const provider: Eip1193Provider = {
    async request({ method, params = [] }) {
      const list = params as readonly unknown[]
      wallet.calls.push({ method, params: list })
      const answer = wallet.answers[method]
      if (!answer) throw walletError(4200, `${method} is not supported`)
      return answer(list)
    },
    on(event, listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    removeListener(event, listener) {
      listeners.get(event)?.delete(listener)
    },
  }

  function switchTo(target: unknown): null {
    const chainId = chainIdIn(target)
    if (!wallet.known.has(chainId)) throw walletError(4902, 'Unrecognized chain ID')
    wallet.chainId = chainId
    wallet.emit('chainChanged', `0x${chainId.toString(16)}`)
    return null
  }

  return wallet
}

function chainIdIn(target: unknown): number {
  return Number((target as { chainId: string }).chainId)
}

/** Returns an answer that resolves when the test says so. */
export function deferred<T>(): {
  promise: Promise<T>
  resolve(value: T): void
  reject(error: unknown): void
} {
  let resolve: (value: T) => void = () => undefined
  let reject: (error: unknown) => void = () => undefined
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
