import type { Connector, Namespace } from '@hawser/core'

/** A wallet of this browser, with its provider in each namespace. */
export interface PageWallet {
  readonly name: string
  /** Image as a data URL. */
  readonly icon?: string
  readonly connectors: readonly Connector[]
}

/** The namespaces in the order in which a wallet is asked. */
const order: readonly Namespace[] = ['eip155', 'solana', 'bip122', 'polkadot']

/**
 * Returns the wallets of connectors. The browser of a wallet has one, which may have another name in each namespace. Where a
 * namespace has several, those of the same name are one.
 */
export function walletsOf(connectors: readonly Connector[]): readonly PageWallet[] {
  const sorted = [...connectors].sort((a, b) => order.indexOf(a.chain) - order.indexOf(b.chain))
  const namespaces = sorted.map(({ chain }) => chain)
  if (new Set(namespaces).size === namespaces.length) return sorted.length > 0 ? [walletOf(sorted)] : []
  const names = [...new Set(sorted.map(({ name }) => name))]
  return names.map((name) => walletOf(sorted.filter((connector) => connector.name === name)))
}

function walletOf(connectors: readonly Connector[]): PageWallet {
  const [named] = connectors
  const icon = connectors.find(({ imageUrl }) => imageUrl)?.imageUrl
  // Of two providers in a namespace, the first was there first: the other one took its name.
  const first = connectors.filter(
    ({ chain }, at) => connectors.findIndex((other) => other.chain === chain) === at,
  )
  return { name: named?.name ?? '', ...(icon && { icon }), connectors: first }
}
