import type { Connector, Eip1193Provider } from '@hawser/core'
import type { PageWallet } from '../wallets/pageWallet.ts'

/** A request that the wallet received. */
interface Received {
  readonly method: string
  readonly params: readonly unknown[]
}

/** The provider of MetaMask Mobile in its browser, by its documentation: addresses in lower case, chain ids in hex, and errors of EIP-1193. */
export interface MobileWallet extends Eip1193Provider {
  readonly received: Received[]
  /** What the visitor does with the next prompts, and `later` after a minute; approves by default. */
  readonly decisions: ('approve' | 'decline' | 'later' | 'never')[]
  readonly known: Set<number>
  accounts: readonly string[]
  /** The visitor switches accounts. */
  setAccounts(accounts: readonly string[]): void
  /** The visitor switches the network. */
  setChain(id: number): void
  methods(): readonly string[]
}

export const alice = '0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb'
export const bob = '0x1111111111111111111111111111111111111111'

const silent = ['eth_accounts', 'eth_chainId']

export function createMobileWallet({ chain = 1, known = [1, 10] } = {}): MobileWallet {
  const listeners = new Map<string, Set<(payload: never) => void>>()
  let active = chain
  let isAllowed = false

  const emit = (name: string, payload: unknown) => {
    for (const listener of listeners.get(name) ?? []) listener(payload as never)
  }

  const wallet: MobileWallet = {
    received: [],
    decisions: [],
    known: new Set(known),
    accounts: [alice],
    methods: () => wallet.received.map(({ method }) => method),
    setAccounts(accounts) {
      wallet.accounts = accounts
      emit('accountsChanged', accounts)
    },
    setChain(id) {
      active = id
      emit('chainChanged', hexOf(id))
    },
    on: (name, listener) => void listeners.set(name, (listeners.get(name) ?? new Set()).add(listener)),
    removeListener: (name, listener) => listeners.get(name)?.delete(listener),
    async request({ method, params = [] }) {
      const list = params as readonly unknown[]
      if (!silent.includes(method)) wallet.received.push({ method, params: list })
      switch (method) {
        case 'eth_chainId':
          return hexOf(active)
        case 'eth_accounts':
          return isAllowed ? wallet.accounts : []
        case 'eth_requestAccounts':
          await prompt()
          isAllowed = true
          return wallet.accounts
        case 'wallet_addEthereumChain':
        case 'wallet_switchEthereumChain': {
          const id = Number((list[0] as { chainId: string }).chainId)
          if (method === 'wallet_addEthereumChain') wallet.known.add(id)
          // MetaMask Mobile wraps the error of a network that it does not know.
          if (!wallet.known.has(id))
            throw failure(-32603, 'Internal JSON-RPC error.', { originalError: { code: 4902 } })
          if (id !== active) wallet.setChain(id)
          return null
        }
        case 'personal_sign':
          await prompt()
          return '0x5161'
        case 'eth_sendTransaction':
          await prompt()
          return `0x${'77'.repeat(32)}`
        default:
          throw failure(-32601, `The method "${method}" does not exist / is not available.`)
      }
    },
  }

  async function prompt(): Promise<void> {
    const decision = wallet.decisions.shift() ?? 'approve'
    if (decision === 'never') return new Promise(() => undefined)
    if (decision === 'later') await new Promise((resolve) => setTimeout(resolve, 60_000))
    if (decision === 'decline') throw failure(4001, 'User rejected the request.')
  }

  return wallet
}

/** Returns a wallet of the page with one provider. */
export function pageWalletOf(provider: Eip1193Provider, name = 'MetaMask'): PageWallet {
  const connector: Connector<'eip155'> = {
    id: 'io.metamask.mobile',
    name,
    type: 'ANNOUNCED',
    chain: 'eip155',
    getProvider: async () => provider,
  }
  return { name, connectors: [connector] }
}

function hexOf(id: number): string {
  return `0x${id.toString(16)}`
}

function failure(code: number, message: string, data?: unknown): Error {
  return Object.assign(new Error(message), { code, ...(data !== undefined && { data }) })
}
