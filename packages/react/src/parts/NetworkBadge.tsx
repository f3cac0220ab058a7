import { AssetIcon } from '@hawser/ui'
import type { ReactNode } from 'react'
import { useHawser } from '../hooks/useHawser.ts'

export interface NetworkBadgeProps {
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
export function NetworkBadge({ chainId, name, size, children }: NetworkBadgeProps) {
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
