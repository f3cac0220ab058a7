import type { TokenBalance } from '@hawser/core'
import { Amount, ListItem } from '@hawser/ui'
import { formatUsd } from './fiat.ts'
import { TokenMark } from './TokenMark.tsx'
import { tokenValue } from './tokenValue.ts'

export interface TokenRowProps {
  token: TokenBalance
  onSelect?: (token: TokenBalance) => void
  'data-testid'?: string
}

/** A token with its balance, and its value when a price is known. */
export function TokenRow({ token, onSelect, ...rest }: TokenRowProps) {
  const value = formatUsd(tokenValue(token))
  return (
    <ListItem
      {...rest}
      title={token.name}
      icon={<TokenMark token={token} />}
      subtitle={<Amount value={token.quantity.numeric} symbol={token.symbol} />}
      end={value && <span className="hw-token-value">{value}</span>}
      {...(onSelect && { onSelect: () => onSelect(token) })}
    />
  )
}
