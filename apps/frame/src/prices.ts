import type { PreviewOptions } from '@hawser/frame/wallet'

const PATH = '/hawser.balances.v1.BalancesService/ListPrices'

/** A request is shown without dollars when the price takes longer. */
const TIMEOUT_MS = 10_000

/** The addresses by which the gateway knows the native tokens, by namespace. */
const natives: Readonly<Record<string, string>> = {
  eip155: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
  solana: 'So11111111111111111111111111111111111111111',
}

/** Returns the price of a network's native token in dollars; undefined if the gateway has none or does not answer. */
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
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const { fungibles = [] } = (await response.json()) as { fungibles?: { readonly price?: number }[] }
    const [price = 0] = fungibles.map(({ price }) => price)
    return price > 0 ? price : undefined
  } catch {
    return undefined
  }
}
