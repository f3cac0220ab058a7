import { exactDecimal, TextField } from '@hawser/ui'
import { type ReactNode, useId } from 'react'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { type TypedAmount, useTypedAmount } from './useTypedAmount.ts'

export interface AmountFieldProps {
  label: string
  /** The amount of the form: a plain decimal, or a text that is not one. */
  value: string
  /** Receives a plain decimal, or a text that is not one. The field shows only what the form takes. */
  onChange: (value: string) => void
  /** The token or currency of the amount, which may be a button that changes it. */
  unit: ReactNode
  /** Where the unit is: `stacked` beside the label, `inline` beside the amount, `slim` in a line whose label is for screen readers. */
  layout?: 'stacked' | 'inline' | 'slim'
  /** The sign of the currency, on the side of the amount where the language has it. */
  signs?: readonly [before: string, after: string]
  /** Returns what an amount is worth; empty for none. */
  worth?: (amount: string) => ReactNode
  /** What there is of the token. */
  balance?: ReactNode
  /** Says which amounts are possible, or what is wrong with this one. */
  hint?: ReactNode
  /** Whether the amount is refused. */
  isWrong?: boolean
  /** `numeric` for whole numbers. */
  inputMode?: 'decimal' | 'numeric'
  maxLength?: number
  testIds: { input: string; box?: string; hint?: string }
  /** Shown below. */
  children?: ReactNode
}

/** A field for an amount, with the separators of the language: of what, what it is worth, and what there is. */
export function AmountField({
  label,
  value,
  onChange,
  unit,
  layout = 'stacked',
  signs,
  worth,
  balance,
  hint,
  isWrong = false,
  inputMode = 'decimal',
  maxLength,
  testIds,
  children,
}: AmountFieldProps) {
  const id = useId()
  const typed = useTypedAmount(value, onChange)
  const field = {
    id,
    inputMode,
    maxLength,
    autoComplete: 'off',
    placeholder: '0',
    value: typed.text,
    title: typed.text,
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
    'aria-invalid': typed.isUnread || isWrong || undefined,
    'data-testid': testIds.input,
    onChange: (event: { target: { value: string } }) => typed.onType(event.target.value),
  }
  if (layout === 'slim') {
    return (
      <>
        <TextField {...field} label={label} end={unit} />
        <AmountNote typed={typed} />
      </>
    )
  }
  const name = (
    <label className="hw-entry-label" htmlFor={id}>
      {label}
    </label>
  )
  const input = (
    <input
      {...field}
      className="hw-amount-input"
      data-length={signs ? undefined : lengthOf(typed.text, layout)}
    />
  )
  return (
    <div
      className={`hw-entry-box${signs ? ' hw-amount-signed' : ''}${layout === 'inline' ? ' hw-amount-inline' : ''}`}
      data-state={isWrong ? 'error' : 'idle'}
      data-testid={testIds.box}
    >
      {layout === 'inline' ? (
        <>
          {name}
          <div className="hw-entry-line">
            {input}
            {unit}
          </div>
        </>
      ) : (
        <>
          <div className="hw-entry-line">
            {name}
            {unit}
          </div>
          {signs ? (
            <Signed id={id} signs={signs} text={typed.text}>
              {input}
            </Signed>
          ) : (
            input
          )}
        </>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="hw-amount-hint" role="status" data-testid={testIds.hint}>
          {hint}
        </p>
      )}
      <AmountNote typed={typed} />
      {worth && (
        <div className="hw-entry-line hw-amount-detail">
          <bdi className="hw-amount-worth">{!typed.isUnread && worth(typed.amount)}</bdi>
          {balance}
        </div>
      )}
      {children}
    </div>
  )
}

/** Long amounts use a smaller font, the sooner the less room they have. */
export function lengthOf(text: string, layout: 'stacked' | 'inline'): 'short' | 'medium' | 'long' {
  const [medium, long] = layout === 'inline' ? [8, 14] : [10, 18]
  if (text.length > long) return 'long'
  return text.length > medium ? 'medium' : 'short'
}

interface SignedProps {
  id: string
  signs: readonly [before: string, after: string]
  text: string
  children: ReactNode
}

/** An amount between its signs, as wide as its text. */
function Signed({ id, signs: [before, after], text, children }: SignedProps) {
  // A label, so that a press beside the number reaches the field.
  return (
    <label className="hw-amount-press" htmlFor={id} data-length={text.length > 9 ? 'long' : 'short'}>
      <span className="hw-amount-sum" dir="ltr">
        <Sign text={before} />
        <span className="hw-amount-number" data-text={text || '0'}>
          {children}
        </span>
        <Sign text={after} />
      </span>
    </label>
  )
}

function Sign({ text }: { text: string }) {
  return (
    text && (
      <span className="hw-amount-sign" aria-hidden="true">
        {text}
      </span>
    )
  )
}

/** Explains how the amount is read, if its separator may group thousands or not. */
function AmountNote({ typed: { amount, other } }: { typed: TypedAmount }) {
  const tag = useLocaleTag()
  const texts = useTexts()
  return (
    <p className="hw-amount-note" role="status" data-testid="amount-note">
      {other && amount && texts.amountReading(exactDecimal(amount, tag), exactDecimal(other, tag))}
    </p>
  )
}
