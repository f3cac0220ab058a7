import type { Network } from '@hawser/core'
import { AssetIcon } from '@hawser/ui'
import { useHawser } from '../hooks/useHawser.ts'

export interface NetworkMarkProps {
  network: Network
  /** CSS pixels. */
  size?: number
}

/** The logo of a network: the site's image, else the gateway's, else letters. */
export function NetworkMark({ network: { caipNetworkId, name, imageUrl }, size }: NetworkMarkProps) {
  const { client } = useHawser()
  return (
    <AssetIcon
      name={name}
      seed={caipNetworkId}
      src={imageUrl ?? client.networkMarkUrl(caipNetworkId)}
      {...(size && { size })}
    />
  )
}
