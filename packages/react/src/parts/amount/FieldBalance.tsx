import { Amount } from '@hawser/ui'

interface FieldAction {
  text: string
  title: string
  'data-testid': string
  onPress: () => void
}

export interface FieldBalanceProps {
  /** A plain decimal. */
  value: string
  symbol: string
  /** Buys more of the token. */
  buy?: FieldAction | undefined
  /** Fills in the whole balance. */
  max?: FieldAction | undefined
}

/** The balance of the token of an amount, with buttons that fill it in and buy more. */
export function FieldBalance({ value, symbol, buy, max }: FieldBalanceProps) {
  return (
    <span className="hw-amount-balance">
      <Amount value={value} symbol={symbol} />
      {buy && <Action {...buy} />}
      {max && <Action {...max} />}
    </span>
  )
}

function Action({ text, onPress, ...rest }: FieldAction) {
  return (
    <button {...rest} type="button" className="hw-link" onClick={onPress}>
      {text}
    </button>
  )
}
