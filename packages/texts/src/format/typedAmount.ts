import { readDigits } from './typedDecimal.ts'

/** Longer texts are not amounts: 2²⁵⁶ has 78 digits, and no token more than 255 decimals. */
const MAX_LENGTH = 400

/** Marks that only set the direction of text. */
const DIRECTION_MARKS = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g

/** Separators that are written in more than one way, as this reader has them. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/[．。]/g, '.'],
  [/[，、]/g, ','],
  [/[\u00a0\u2009\u202f\u3000]/g, ' '],
  [/[’＇]/g, "'"],
]

/** Groups of three digits, or of two before the last three as in India. */
const GROUPED = /^[1-9]\d{0,2}(?:(?<mark>[.,' ٬])\d{3})(?:\k<mark>\d{3})*$|^[1-9]\d?(?:,\d{2})+,\d{3}$/

/**
 * Reads an amount as people type or paste it: in the decimal digits of any script, with the separators of a language,
 * or others where only one number can be meant. It is read whole or not at all.
 *
 * @param tag the language of the page, by its BCP 47 tag.
 * @returns a plain decimal (`1234.5`), empty for an empty text; undefined for what is not an amount, or may be two.
 */
export function readTypedAmount(typed: string, tag: string): string | undefined {
  if (typed.length > MAX_LENGTH) return undefined
  let text = readDigits(typed.replace(DIRECTION_MARKS, '')).trim()
  for (const [spelling, mark] of SPELLINGS) text = text.replace(spelling, mark)
  if (text === '') return ''
  const [whole, fraction] = splitAt(text, decimalMark(text, tag)) ?? []
  if (whole === undefined || fraction === undefined || !/^\d*$/.test(fraction)) return undefined
  if (!/^\d*$/.test(whole) && !GROUPED.test(whole)) return undefined
  const digits = whole.replace(/\D/g, '')
  if (digits + fraction === '') return undefined
  return plain(digits, fraction)
}

/**
 * Returns the other number that a text would be if its only separator had its other meaning: 1500 for `1.500`, and 1.500
 * for `1,500` where a comma groups. Undefined if it has one meaning.
 */
export function otherReading(typed: string, tag: string): string | undefined {
  const read = readTypedAmount(typed, tag)
  if (!read) return undefined
  const groups = readTypedAmount(typed.trim().replace(/[.．]/g, ','), 'en')
  const decimal = readTypedAmount(typed.trim().replace(/[,，]/g, '.'), 'en')
  const isEither =
    groups && decimal && /^[1-9]\d{0,2}$/.test(decimal.split('.')[0] ?? '') && groups !== decimal
  if (!isEither || groups.includes('.')) return undefined
  return read === groups ? decimal : groups
}

/** Returns the mark before the fraction; empty if the text has none, undefined if it may be either. */
function decimalMark(text: string, tag: string): string | undefined {
  if (text.includes('٫')) return '٫'
  const marks = [...new Set(text.replace(/[^.,]/g, ''))]
  const [mark] = marks
  if (mark === undefined) return ''
  // Of two different marks, and of one behind other groups, the last one is before the fraction.
  if (marks.length === 2) return text[Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))]
  if (text.split(mark).length > 2) return ''
  const { decimal, group } = separatorsOf(tag)
  if (mark === decimal || !GROUPED.test(text)) return mark
  return mark === group ? '' : undefined
}

function splitAt(text: string, mark: string | undefined): readonly [string, string] | undefined {
  if (mark === undefined) return undefined
  if (mark === '') return [text, '']
  const [whole = '', fraction = '', ...rest] = text.split(mark)
  return rest.length === 0 ? [whole, fraction] : undefined
}

/** Drops zeros that say nothing before the point; those after it stay, as they were typed. */
function plain(whole: string, fraction: string): string {
  const significant = whole.replace(/^0+(?=\d)/, '') || '0'
  return fraction ? `${significant}.${fraction}` : significant
}

/** Arabic uses the separators of English here, as its amounts are shown. */
function separatorsOf(tag: string): { decimal: string; group: string } {
  const parts = new Intl.NumberFormat(tag.startsWith('ar') ? 'en' : tag).formatToParts(12345.6)
  const partOf = (kind: string) => parts.find(({ type }) => type === kind)?.value ?? ''
  return { decimal: partOf('decimal'), group: partOf('group') }
}
