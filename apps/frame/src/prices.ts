import type { PreviewOptions } from '@hawser/frame/wallet'

const PATH = '/hawser.balances.v1.BalancesService/ListPrices'

/** How prices are asked for: the native token of each namespace by its usual address. */
const natives: Readonly<Record<string, string>> = {
  eip155: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
  solana: 'So11111111111111111111111111111111111111111',
}

/** Returns the dollars of one native token of a network. Undefined when nobody knows them. */
export async function loadNativePrice(
  { projectId, fetch }: PreviewOptions,
  chainId: string,
): Promise<number | undefined> {
  const [namespace = ''] = chainId.split(':')
  const native = natives[namespace]
  if (!native) return undefined
  try {
    const response = await fetch(`${PATH}?projectId=${encodeURIComponent(projectId)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'connect-protocol-version': '1' },
      body: JSON.stringify({ projectId, currency: 'usd', addresses: [`${chainId}:${native}`] }),
      credentials: 'omit',
    })
    const { fungibles = [] } = (await response.json()) as { fungibles?: { readonly price?: number }[] }
    const [price = 0] = fungibles.map(({ price }) => price)
    return price > 0 ? price : undefined
  } catch {
    return undefined
  }
}
