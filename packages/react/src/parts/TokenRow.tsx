import type { TokenBalance } from '@hawser/core'
import { textFor } from '@hawser/texts/translated'
import { Amount, ListItem } from '@hawser/ui'
import { useLocaleTag } from '../locale/shownLocale.ts'
import { useTexts } from '../locale/useTexts.ts'
import { formatUsd } from './fiat.ts'
import { TokenMark } from './TokenMark.tsx'
import { priceNote, tokenValue } from './tokenValue.ts'

export interface TokenRowProps {
  token: TokenBalance
  onSelect?: (token: TokenBalance) => void
  'data-testid'?: string
}

/** A token with its balance, its value when a price is known, and why it is hidden, or its value limited, when it is. */
export function TokenRow({ token, onSelect, ...rest }: TokenRowProps) {
  const tag = useLocaleTag()
  const texts = useTexts()
  const value = formatUsd(tokenValue(token), tag)
  const limit = textFor(texts.account.valueLimits, token.valueLimit ?? '')
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
              {textFor(texts.account.hiddenReasons, token.hidden) ?? texts.account.hiddenOther}
            </span>
          )}
          {!token.hidden && limit && <span className="hw-token-doubt">{limit}</span>}
        </>
      }
      end={
        value && (
          <bdi className="hw-token-value" title={priceNote(token, texts, tag)}>
            {value}
          </bdi>
        )
      }
      {...(onSelect && { onSelect: () => onSelect(token) })}
    />
  )
}
