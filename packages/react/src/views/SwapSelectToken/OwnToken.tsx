import { rowOf, type SwapToken } from '@hawser/core'
import { Amount, ListItem } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { formatUsd } from '../../parts/fiat.ts'
import { TokenMark } from '../../parts/TokenMark.tsx'
import { priceNote, tokenValue } from '../../parts/tokenValue.ts'

export interface OwnTokenProps {
  token: SwapToken
  disabled: boolean
  onSelect: () => void
  'data-testid': string
}

/** A token that the account holds, with its balance and its value when a price is known. */
export function OwnToken({ token, ...rest }: OwnTokenProps) {
  const hawser = useHawser()
  const row = useHawserState(hawser.chain, (state) => rowOf(state, token))
  const value = row && formatUsd(tokenValue(row))
  return (
    <ListItem
      title={token.name}
      subtitle={<Amount value={row?.quantity.numeric ?? '0'} symbol={token.symbol} />}
      icon={<TokenMark token={token} />}
      end={
        value && (
          <span className="hw-token-value" title={priceNote(row)}>
            {value}
          </span>
        )
      }
      {...rest}
    />
  )
}
