import { otherReading, readTypedAmount } from '@hawser/texts/format/typedAmount'
import { showTypedDecimal } from '@hawser/texts/format/typedDecimal'
import { useState } from 'react'
import { useLocaleTag } from '../../locale/shownLocale.ts'

/** Precedes a typed text that is not an amount, so that nothing reads it as one. */
const UNREAD = '?'

export interface TypedAmount {
  /** What the field shows: the text as it was typed, else the amount with the separator of the language. */
  readonly text: string
  /** A plain decimal; empty without one. */
  readonly amount: string
  /** The other number that the text could mean. */
  readonly other: string | undefined
  /** Whether the text is not an amount. */
  readonly isUnread: boolean
  readonly onType: (text: string) => void
}

/**
 * Keeps what is typed into an amount field as it is, and reads it whole: a text that is not an amount is kept too, as one
 * that no amount can be read from.
 *
 * @param value the amount of the form, which may also be set elsewhere.
 * @param setValue receives a plain decimal, or a text that is not one.
 */
export function useTypedAmount(value: string, setValue: (value: string) => void): TypedAmount {
  const tag = useLocaleTag()
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: string }>()
  const isUnread = value.startsWith(UNREAD)
  const text = typed?.value === value ? typed.text : shownText(value, tag)

  function onType(text: string) {
    const value = readTypedAmount(text, tag) ?? UNREAD + text
    setTyped({ text, value })
    setValue(value)
  }
  const amount = isUnread ? '' : value
  return { text, amount, other: otherReading(text, tag), isUnread, onType }
}

function shownText(value: string, tag: string): string {
  return value.startsWith(UNREAD) ? value.slice(UNREAD.length) : showTypedDecimal(value, tag)
}
