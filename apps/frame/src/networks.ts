import type { Unit } from './locale/amount.ts'

/** The part of a network that an approval shows, with its native token. */
export interface NetworkInfo extends Unit {
  readonly name: string
}

interface NetworkJson {
  readonly chainId?: string
  readonly name?: string
  readonly nativeCurrency?: { readonly symbol?: string; readonly decimals?: number }
}

/** A request is shown with the id of its network when the name takes longer. */
const TIMEOUT_MS = 10_000

let loading: Promise<readonly NetworkJson[]> | undefined

/** Returns what is shown of a network that the server does not describe: amounts are in base units. */
export function unknownNetwork(chainId: string): NetworkInfo {
  return { name: chainId, symbol: '', decimals: 0 }
}

/** Reports whether the server serves a network. @throws Error when its list cannot be loaded */
export async function isListed(projectId: string, chainId: string): Promise<boolean> {
  return (await listNetworks(projectId)).some((listed) => listed.chainId === chainId)
}

/** Returns a network as the server describes it. */
export async function loadNetwork(projectId: string, chainId: string): Promise<NetworkInfo> {
  const networks = await listNetworks(projectId).catch(() => [])
  const network = networks.find((candidate) => candidate.chainId === chainId)
  if (!network?.nativeCurrency) return unknownNetwork(chainId)
  const { symbol = '', decimals = 0 } = network.nativeCurrency
  return { name: network.name ?? chainId, symbol, decimals }
}

/** Returns the networks of the server, which are kept once they are loaded. */
function listNetworks(projectId: string): Promise<readonly NetworkJson[]> {
  loading ??= loadNetworks(projectId).catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

async function loadNetworks(projectId: string): Promise<readonly NetworkJson[]> {
  const path = '/hawser.chains.v1.ChainsService/ListNetworks'
  const response = await fetch(`${path}?projectId=${encodeURIComponent(projectId)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`networks could not be loaded: status ${response.status}`)
  return ((await response.json()) as { networks?: NetworkJson[] }).networks ?? []
}
