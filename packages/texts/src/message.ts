import type { CoreCatalogues } from './gen/types.ts'

/** An amount in a text, as English writes it, and its unit. It is formatted for the language that the text is shown in. */
export interface AmountValue {
  readonly amount: string
  /** The symbol of a token, or the name of what is counted; empty where the text has the unit itself. */
  readonly unit: string
}

/** A value in a text. */
export type MessageValue = string | number | AmountValue

/** A text for the visitor: in English, and for other languages by what it says. */
export interface Message {
  /** In English. */
  readonly message: string
  /** The catalogue of core and the key of the text in it: `toasts.sent`. Undefined for a text from outside, which is shown as it is. */
  readonly key?: string | undefined
  readonly values?: readonly MessageValue[] | undefined
}

/** The keys of a catalogue at any depth, with dots between them. */
export type KeyOf<Catalogue> = {
  [Key in keyof Catalogue & string]: Catalogue[Key] extends string | ((...values: never[]) => string)
    ? Key
    : `${Key}.${KeyOf<Catalogue[Key]>}`
}[keyof Catalogue & string]

/** The text of a key. */
type TextOf<Catalogue, Key> = Key extends keyof Catalogue
  ? Catalogue[Key]
  : Key extends `${infer Head}.${infer Rest}`
    ? Head extends keyof Catalogue
      ? TextOf<Catalogue[Head], Rest>
      : never
    : never

/** The values of a text: wherever English has a text, it may be an amount. */
type ValuesOf<Text> = Text extends (...values: infer Values) => string
  ? { [At in keyof Values]: Values[At] extends string ? string | AmountValue : Values[At] }
  : []

/** Makes the messages of a catalogue in English by their keys. An interface, which declarations name instead of writing it out. */
export interface Messages<Catalogue> {
  // biome-ignore lint/style/useShorthandFunctionType: a function type is written out in declarations, with types that are not exported
  <Key extends KeyOf<Catalogue>>(key: Key, ...values: ValuesOf<TextOf<Catalogue, Key>>): Message
}

/** Returns what makes the messages of a catalogue. */
export function messagesOf<Catalogue extends object>(
  name: keyof CoreCatalogues,
  catalogue: Catalogue,
): Messages<Catalogue> {
  return (key, ...values) => {
    const listed = values as readonly MessageValue[]
    const message = textAt(catalogue, key, listed, (amount) => amount) ?? ''
    return { message, key: `${name}.${key}`, ...(listed.length > 0 && { values: listed }) }
  }
}

/**
 * Returns a message in another language; in English if the language does not have it.
 *
 * @param formatAmount writes a decimal in the language.
 */
export function translated(
  { message, key, values = [] }: Message,
  catalogues: CoreCatalogues,
  formatAmount: (decimal: string) => string,
): string {
  return (key && textAt(catalogues, key, values, (amount) => localAmount(amount, formatAmount))) || message
}

type Node = { readonly [key: string]: unknown }

function textAt(
  catalogue: object,
  key: string,
  values: readonly MessageValue[],
  amountText: (amount: string) => string,
): string | undefined {
  const text = key
    .split('.')
    .reduce<unknown>(
      (node, part) => (isNode(node) && Object.hasOwn(node, part) ? node[part] : undefined),
      catalogue,
    )
  if (typeof text === 'function') return text(...values.map((value) => valueText(value, amountText)))
  return typeof text === 'string' ? text : undefined
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null
}

function valueText(value: MessageValue, amountText: (amount: string) => string): string | number {
  if (typeof value !== 'object') return value
  return value.unit ? `${amountText(value.amount)} ${value.unit}` : amountText(value.amount)
}

/** An amount that is shortened by a letter or a sign is the same in every language. */
function localAmount(amount: string, formatAmount: (decimal: string) => string): string {
  return /^\d[\d,]*(\.\d+)?$/.test(amount) ? formatAmount(amount.replaceAll(',', '')) : amount
}
