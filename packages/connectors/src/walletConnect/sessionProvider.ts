import type { ConnectorContext, Eip1193Provider } from '@hawser/core'
import { accountsOf, chainOf, type Session, type SignClient } from '@hawser/walletconnect'
import { createListeners } from '../listeners.ts'
import { ProviderError, providerErrorCode } from '../pageWallet/providerError.ts'
import { methods } from './methods.ts'
import { asProviderError, unauthorized } from './sessionErrors.ts'
import { requestOfWallet } from './walletRequest.ts'

type NetworkId = Parameters<ConnectorContext['node']>[0]

/** An EIP-1193 provider over the newest session, and what the client reports to it. */
export interface SessionProvider extends Eip1193Provider {
  /** A session began: its network is the first of these (CAIP-2) that the wallet approved, else the stored one. */
  begin(preferred: readonly string[]): void
  updated(topic: string): void
  deleted(topic: string): void
  receive(topic: string, event: { readonly name: string; readonly data: unknown }, chainId: string): void
}

export interface SessionProviderDeps {
  readonly client: SignClient
  readonly storage: ConnectorContext['storage']
  readonly context: Pick<ConnectorContext, 'node' | 'openWallet'>
  readonly current: () => Session | undefined
}

const CHAIN_KEY = 'chain_id'

export function createSessionProvider({
  client,
  storage,
  context,
  current,
}: SessionProviderDeps): SessionProvider {
  const listeners = createListeners()
  /** The session that the listeners know of. */
  let announced = current()?.topic

  /**
   * Returns the CAIP-2 id of the network: the stored one while the wallet approves it, otherwise the first of
   * the session.
   */
  function chainId(): string {
    const approved = approvedChains(current())
    const stored = storage.getItem(CHAIN_KEY)
    if (stored && approved.includes(stored)) return stored
    return approved[0] ?? 'eip155:1'
  }

  function accounts(): readonly string[] {
    const session = current()
    if (!session) return []
    const chain = chainId()
    return accountsOf(session.namespaces)
      .filter((account) => chainOf(account) === chain)
      .map((account) => account.slice(chain.length + 1))
  }

  function switchTo(chain: string): void {
    const before = chainId()
    storage.setItem(CHAIN_KEY, chain)
    if (chain !== before) listeners.emit('chainChanged', hexOf(chain))
  }

  async function switchChain(method: string, params: Params): Promise<null> {
    const wanted = chainIdIn(params)
    if (!approvedChains(current()).includes(wanted)) {
      if (!allows(method)) {
        throw new ProviderError(providerErrorCode.unrecognisedChain, `${wanted} is not in the session.`)
      }
      // The wallet adds the network to the session before it answers.
      await send(method, params)
      if (!approvedChains(current()).includes(wanted)) {
        throw new ProviderError(providerErrorCode.unrecognisedChain, `The wallet did not add ${wanted}.`)
      }
    }
    switchTo(wanted)
    return null
  }

  function allows(method: string): boolean {
    const session = current()
    return Object.values(session?.namespaces ?? {}).some((namespace) => namespace.methods.includes(method))
  }

  async function send(method: string, params: unknown): Promise<unknown> {
    const session = current()
    if (!session) throw unauthorized()
    if (!allows(method)) throw unsupported(method)
    const { topic } = session
    try {
      return await requestOfWallet(client, context, { topic, chainId: chainId(), method, params })
    } catch (error) {
      throw asProviderError(error)
    }
  }

  /** Answers from the session's properties (CAIP-25), which need no request. */
  async function capabilities(params: Params): Promise<unknown> {
    const { scopedProperties, sessionProperties } = current() ?? {}
    const stored = sessionProperties?.capabilities ?? scopedProperties?.eip155
    const parsed = typeof stored === 'string' ? parseJson(stored) : stored
    if (parsed && typeof parsed === 'object') return parsed
    return send('wallet_getCapabilities', params)
  }

  const own: Readonly<Record<string, (params: Params) => Promise<unknown>>> = {
    eth_accounts: async () => accounts(),
    async eth_requestAccounts() {
      if (!current()) throw unauthorized()
      return accounts()
    },
    eth_chainId: async () => hexOf(chainId()),
    net_version: async () => chainId().slice('eip155:'.length),
    wallet_switchEthereumChain: (params) => switchChain('wallet_switchEthereumChain', params),
    wallet_addEthereumChain: (params) => switchChain('wallet_addEthereumChain', params),
    wallet_getCapabilities: capabilities,
  }

  return {
    async request({ method, params = [] }) {
      const answer = own[method]
      if (answer) return answer(params as Params)
      if (methods.eip155.includes(method) || !/^(eth|net|web3)_/.test(method)) return send(method, params)
      return context.node(chainId() as NetworkId)(method, params as Params)
    },
    on: listeners.add,
    removeListener: listeners.remove,

    begin(preferred) {
      const approved = approvedChains(current())
      storage.setItem(CHAIN_KEY, preferred.find((id) => approved.includes(id)) ?? chainId())
      announced = current()?.topic
    },

    updated(topic) {
      if (topic !== announced) return
      const chain = chainId()
      if (storage.getItem(CHAIN_KEY) !== chain) {
        storage.setItem(CHAIN_KEY, chain)
        listeners.emit('chainChanged', hexOf(chain))
      }
      listeners.emit('accountsChanged', accounts())
    },

    deleted(topic) {
      if (topic !== announced) return
      announced = undefined
      storage.removeItem(CHAIN_KEY)
      const error = new ProviderError(providerErrorCode.disconnected, 'The wallet ended the session.')
      listeners.emit('disconnect', error)
    },

    receive(topic, { name, data }, eventChainId) {
      if (topic !== announced) return
      if (name === 'chainChanged') {
        const chain = chainOfEvent(data) ?? eventChainId
        if (approvedChains(current()).includes(chain)) switchTo(chain)
      } else if (name === 'accountsChanged') {
        listeners.emit('accountsChanged', firstOf(accounts(), data))
      } else {
        listeners.emit(name, data)
      }
    },
  }
}

type Params = readonly unknown[]

function approvedChains(session: Session | undefined): readonly string[] {
  const accounts = accountsOf(session?.namespaces ?? {})
  return [...new Set(accounts.map(chainOf))].filter((chain) => chain.startsWith('eip155:'))
}

/** Moves the accounts that a wallet names to the front: an event may select accounts, not add any. */
function firstOf(accounts: readonly string[], named: unknown): readonly string[] {
  const names = (Array.isArray(named) ? named : []).map((name) =>
    String(name).split(':').at(-1)?.toLowerCase(),
  )
  const isNamed = (address: string) => names.includes(address.toLowerCase())
  return [...accounts.filter(isNamed), ...accounts.filter((address) => !isNamed(address))]
}

/** Returns the chain of an event, which wallets name as a number, in hex, in decimal or as CAIP-2. */
function chainOfEvent(data: unknown): string | undefined {
  if (typeof data === 'string' && data.startsWith('eip155:')) return data
  const id = typeof data === 'object' ? Number.NaN : Number(data)
  return Number.isSafeInteger(id) && id > 0 ? `eip155:${id}` : undefined
}

function chainIdIn([target]: Params): string {
  const id = Number((target as { chainId?: unknown } | undefined)?.chainId)
  if (Number.isSafeInteger(id) && id > 0) return `eip155:${id}`
  throw new ProviderError(providerErrorCode.invalidParams, 'Expected a chain id.')
}

function hexOf(chain: string): string {
  return `0x${Number(chain.slice('eip155:'.length)).toString(16)}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function unsupported(method: string): ProviderError {
  return new ProviderError(providerErrorCode.unsupportedMethod, `The session does not allow ${method}.`)
}
