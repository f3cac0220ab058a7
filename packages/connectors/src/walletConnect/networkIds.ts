import type { CaipNetworkId } from '@hawser/core'

/** Ids that older wallets have for Solana's networks, by those of today (CAIP-2). */
const olderIds: Readonly<Record<string, string>> = {
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': 'solana:8E9rvCKLFQia2Y35HXjjpWzj8weVo44K',
}

/** Returns networks with the older ids of those that have one, which are proposed too. */
export function withOlderIds(networks: readonly string[]): readonly string[] {
  return [...networks, ...networks.flatMap((network) => olderIds[network] ?? [])]
}

/** Returns the network of an id that a wallet approved. */
export function networkOf(chain: string): CaipNetworkId {
  const [network = chain] = Object.entries(olderIds).find(([, older]) => older === chain) ?? []
  return network as CaipNetworkId
}
