import { useContext } from 'react'
import { exactDecimal, shortDecimal } from './decimal.ts'
import { NumberLocale } from './NumberLocale.ts'

export interface AmountProps {
  /** Exact decimal string in whole units, e.g. `1.000000000000000001`. */
  value: string
  symbol?: string | undefined
  /** `short` cuts digits and keeps the exact value in the title; `exact` shows every digit. */
  precision?: 'short' | 'exact'
}

/** A token amount in tabular numerals. It is never rounded up and never converted to a float. */
export function Amount({ value, symbol, precision = 'short' }: AmountProps) {
  const tag = useContext(NumberLocale)
  const exact = exactDecimal(value, tag)
  return (
    <bdi className="hw-amount" data-precision={precision} title={symbol ? `${exact} ${symbol}` : exact}>
      {precision === 'exact' ? exact : shortDecimal(value, tag)}
      {symbol && (
        <>
          {' '}
          <span className="hw-amount-symbol">{symbol}</span>
        </>
      )}
    </bdi>
  )
}
