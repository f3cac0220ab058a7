import { AssetIcon } from '@hawser/ui'

export interface SellerMarkProps {
  title: string
  /** CSS pixels. */
  size?: number
}

/** The mark of a seller: drawn here, since another host must not learn what a visitor looks at. */
export function SellerMark({ title, size = 40 }: SellerMarkProps) {
  return <AssetIcon name={title} size={size} shape="square" />
}
