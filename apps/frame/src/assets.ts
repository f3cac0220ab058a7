import type { PreviewOptions } from '@hawser/vault'

const PATH = '/hawser.balances.v1.BalancesService/ListPrices'

/** A request is shown without dollars and icons when they take longer. */
const TIMEOUT_MS = 10_000

/** The addresses by which the gateway knows the native tokens, by namespace. */
const natives: Readonly<Record<string, string>> = {
  eip155: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
  solana: 'So11111111111111111111111111111111111111111',
}

/** The icons that this origin serves. */
const OWN_ICON = /\/v1\/assets\/tokens\/[\w:.-]+\/[\w-]+\.svg$/

/** What the gateway knows of a token beside its contract, for display. */
interface AssetInfo {
  /** Dollars of a whole unit. */
  readonly price?: number | undefined
  /** Path of its icon at this origin. */
  readonly icon?: string | undefined
}

/** Tokens by their contracts in lower case; the native token is that of the empty one. */
export type Assets = ReadonlyMap<string, AssetInfo>

interface FungibleJson {
  readonly address?: string
  readonly price?: number
  readonly iconUrl?: string
}

/** Returns what the gateway knows of a network's native token, and of tokens by their contracts. */
export async function loadAssets(
  { projectId, fetch }: PreviewOptions,
  chainId: string,
  contracts: readonly string[],
): Promise<Assets> {
  const [namespace = ''] = chainId.split(':')
  const native = natives[namespace]
  if (!native) return new Map()
  try {
    const addresses = [native, ...contracts].map((address) => `${chainId}:${address}`)
    const response = await fetch(`${PATH}?projectId=${encodeURIComponent(projectId)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'connect-protocol-version': '1' },
      body: JSON.stringify({ projectId, currency: 'usd', addresses }),
      credentials: 'omit',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const { fungibles = [] } = (await response.json()) as { readonly fungibles?: readonly FungibleJson[] }
    return new Map(
      fungibles.map(({ address = '', price = 0, iconUrl = '' }) => [
        keyOf(address.slice(chainId.length + 1), native),
        { price: price > 0 ? price : undefined, icon: OWN_ICON.exec(iconUrl)?.[0] },
      ]),
    )
  } catch {
    return new Map()
  }
}

function keyOf(address: string, native: string): string {
  const key = address.toLowerCase()
  return key === native.toLowerCase() ? '' : key
}
