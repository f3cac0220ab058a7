import { type BuyToken, selectRequestedNetworks } from '@hawser/core'
import { AssetIcon } from '@hawser/ui'
import type { ReactNode } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'

export interface BuyTokenMarkProps {
  token: BuyToken
  /** CSS pixels. */
  size?: number
}

/** The mark of a token that can be bought, with its network: one list holds the tokens of several. */
export function BuyTokenMark({
  token: { chainId, contract, symbol, networkName },
  size = 40,
}: BuyTokenMarkProps) {
  const hawser = useHawser()
  const isTest = useHawserState(hawser.chain, (state) =>
    selectRequestedNetworks(state).some((network) => network.caipNetworkId === chainId && network.testnet),
  )
  const address = contract || 'native'
  // The gateway has marks only for tokens with a market value.
  const src = isTest && contract ? undefined : hawser.client.tokenMarkUrl(chainId, address)
  return (
    <NetworkBadge chainId={chainId} name={networkName} size={size}>
      <AssetIcon name={symbol} seed={`${chainId}:${address}`} src={src} size={size} />
    </NetworkBadge>
  )
}

interface NetworkBadgeProps {
  /** CAIP-2. */
  chainId: string
  /** Of the network. */
  name: string
  /** CSS pixels of what carries the badge. */
  size: number
  /** The mark of a token. */
  children: ReactNode
}

/** Adds a small logo of the network to the mark of a token. */
function NetworkBadge({ chainId, name, size, children }: NetworkBadgeProps) {
  const { client } = useHawser()
  return (
    <span className="hw-badged">
      {children}
      <AssetIcon
        name={name}
        seed={chainId}
        src={client.networkMarkUrl(chainId)}
        size={Math.round(size * 0.4)}
      />
    </span>
  )
}
