import type { AccountEntry, AccountProvider, CaipNetworkId } from '@hawser/core'
import type { ApprovedNamespace } from '@hawser/walletconnect'
import type { Bridge, Call, Wanted } from './bridge.ts'
import { failureCode } from './failure.ts'

/** What the bridges of namespaces without EIP-1193 differ in. */
export interface AccountMethods {
  /** Handlers by method. */
  readonly handlers: Readonly<Record<string, (params: Params, call: AccountCall) => Promise<unknown>>>
  /** Networks that are proposed by an older id as well, which is left out. */
  readonly olderIds?: readonly string[]
  /** Whether the network decides which addresses a wallet shares. */
  readonly isByNetwork?: boolean
}

/** Parameters of a request, by name. */
export type Params = Readonly<Record<string, unknown>>

export interface AccountCall {
  readonly caipNetworkId: CaipNetworkId
  /** The first account of the session. */
  readonly address: string
  readonly addresses: readonly string[]
}

/** Creates the bridge to a wallet that signs for the network that a request names. */
export function createAccountBridge(
  provider: AccountProvider,
  { handlers, olderIds = [], isByNetwork = false }: AccountMethods,
): Bridge {
  function isOffered(chain: string): boolean {
    return !olderIds.includes(chain) && (provider.networks?.includes(chain as CaipNetworkId) ?? true)
  }

  async function connect(chain: string | undefined, isSilent: boolean): Promise<readonly string[]> {
    const network = isByNetwork && chain ? { caipNetworkId: chain as CaipNetworkId } : {}
    const entries: readonly AccountEntry[] = await provider.connect({ isSilent, ...network })
    // Sites pay from these addresses.
    return [...new Set(entries.filter(({ type }) => type !== 'ordinal').map(({ address }) => address))]
  }

  return {
    async approve({ chains, methods, events }: Wanted) {
      const offered = chains.filter(isOffered)
      const [first] = offered
      if (!first) return undefined
      const addresses = await connect(first, false)
      if (addresses.length === 0) return undefined
      return {
        chains: isByNetwork ? [first] : offered,
        accounts: (isByNetwork ? [first] : offered).flatMap((chain) =>
          addresses.map((address) => `${chain}:${address}`),
        ),
        methods: methods.filter((method) => Object.keys(handlers).includes(method)),
        events: events.filter((name) => name === 'accountsChanged'),
      }
    },

    async current(approved) {
      const { chains = [] } = approved
      const addresses = await connect(chains[0], true)
      if (addresses.length === 0) return approved
      return {
        ...approved,
        accounts: chains.flatMap((chain) => addresses.map((address) => `${chain}:${address}`)),
      }
    },

    async request({ chainId, method, params }: Call, approved: ApprovedNamespace) {
      const handle = Object.entries(handlers).find(([name]) => name === method)?.[1]
      if (!handle) {
        throw Object.assign(new Error('The wallet does not support this.'), { code: failureCode.unsupported })
      }
      // The providers know the accounts of the wallet once it was connected in this page.
      await connect(chainId, true)
      const addresses = approved.accounts
        .filter((account) => account.startsWith(`${chainId}:`))
        .map((account) => account.slice(chainId.length + 1))
      const caipNetworkId = chainId as CaipNetworkId
      return handle(Object(params) as Params, { caipNetworkId, address: addresses[0] ?? '', addresses })
    },

    onChange(listener) {
      return provider.onAccounts((entries) => {
        if (entries.length > 0) listener()
      })
    },
  }
}

/** Returns a parameter that is a text. @throws Error -32602 for any other */
export function textOf(params: Params, name: string): string {
  const value = params[name]
  if (typeof value === 'string') return value
  throw Object.assign(new Error(`Expected ${name}.`), { code: failureCode.params })
}
