import type { TokenBalance } from '@hawser/core'
import { AssetIcon } from '@hawser/ui'

export interface TokenMarkProps {
  token: TokenBalance
  /** CSS pixels. */
  size?: number
}

/** The image of a token, or its symbol. */
export function TokenMark({ token, size = 40 }: TokenMarkProps) {
  return <AssetIcon name={token.symbol} src={token.iconUrl || undefined} size={size} />
}
