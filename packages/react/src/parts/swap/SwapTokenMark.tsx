import type { SwapToken } from '@hawser/core'
import { AssetIcon } from '@hawser/ui'

export interface SwapTokenMarkProps {
  token: SwapToken
  /** CSS pixels. */
  size?: number
}

/**
 * The image of a token, or its symbol. An image is taken only when it comes with the answer: another host must not
 * learn what a visitor looks at.
 */
export function SwapTokenMark({ token, size = 40 }: SwapTokenMarkProps) {
  const src = token.iconUrl.startsWith('data:image/') ? token.iconUrl : undefined
  return <AssetIcon name={token.symbol} src={src} size={size} />
}
