import { callGateway } from './gateway.ts'

/** A network, with its native token. */
export interface Network {
  readonly name: string
  /** Empty for a token without one. */
  readonly symbol: string
  readonly decimals: number
}

interface NetworkJson {
  readonly chainId?: string
  readonly name?: string
  readonly nativeCurrency?: { readonly symbol?: string; readonly decimals?: number }
}

/** The networks of the gateway. */
export interface Networks {
  /** Resolved once they are loaded, or are known not to load. */
  load(projectId: string): Promise<void>
  /** Returns a network by its CAIP-2 id; its id is its name where the gateway does not describe it. */
  get(chainId: string): Network
}

export function createNetworks(): Networks {
  const known = new Map<string, Network>()
  let loading: Promise<void> | undefined

  async function load(projectId: string): Promise<void> {
    const answer = await callGateway('hawser.chains.v1.ChainsService/ListNetworks', {}, projectId)
    for (const { chainId = '', name = chainId, nativeCurrency = {} } of (
      answer as { networks?: NetworkJson[] }
    ).networks ?? []) {
      const { symbol = '', decimals = 0 } = nativeCurrency
      known.set(chainId, { name, symbol, decimals })
    }
  }

  return {
    load(projectId) {
      loading ??= load(projectId).catch(() => {
        loading = undefined
      })
      return loading
    },
    get: (chainId) => known.get(chainId) ?? { name: chainId, symbol: '', decimals: 0 },
  }
}
