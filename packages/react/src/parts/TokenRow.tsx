import type { TokenBalance } from '@hawser/core'
import { Amount, ListItem } from '@hawser/ui'
import { en } from '../locale/en.ts'
import { formatUsd } from './fiat.ts'
import { TokenMark } from './TokenMark.tsx'
import { priceNote, tokenValue } from './tokenValue.ts'

export interface TokenRowProps {
  token: TokenBalance
  onSelect?: (token: TokenBalance) => void
  'data-testid'?: string
}

/** A token with its balance, its value when a price is known, and why it is hidden when it is. */
export function TokenRow({ token, onSelect, ...rest }: TokenRowProps) {
  const value = formatUsd(tokenValue(token))
  return (
    <ListItem
      {...rest}
      title={token.name}
      icon={<TokenMark token={token} />}
      subtitle={
        <>
          <Amount value={token.quantity.numeric} symbol={token.symbol} />
          {token.hidden && (
            <span className="hw-token-doubt">
              {en.account.hiddenReasons[token.hidden] ?? en.account.hiddenOther}
            </span>
          )}
        </>
      }
      end={
        value && (
          <span className="hw-token-value" title={priceNote(token)}>
            {value}
          </span>
        )
      }
      {...(onSelect && { onSelect: () => onSelect(token) })}
    />
  )
}
