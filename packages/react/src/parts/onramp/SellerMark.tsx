import { AssetIcon } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'

export interface SellerMarkProps {
  /** Name for calls; absent where it is not known. */
  id?: string | undefined
  title: string
  /** CSS pixels. */
  size?: number
}

/**
 * The mark of a seller, from the gateway, because another host must not learn what a visitor looks at.
 * Letters without one.
 */
export function SellerMark({ id, title, size = 40 }: SellerMarkProps) {
  const { client } = useHawser()
  return <AssetIcon name={title} src={id && client.sellerMarkUrl(id)} size={size} shape="square" />
}
