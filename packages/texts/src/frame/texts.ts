import type { SomeWarningTexts } from '../preview/warningTexts.ts'
import type { en } from './en.ts'

/** The shape of a catalogue in any language: the same keys, and functions of the same parameters. */
type Translated<English> = English extends string
  ? string
  : English extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Key in keyof English]: Translated<English[Key]> }

/** The texts of the frame in one language. */
export interface Texts extends Translated<typeof en> {
  /** What the warnings of previews say; those that are absent are in the English of the service. */
  readonly warnings?: SomeWarningTexts
}

/** Returns the text of a key that comes from outside, such as a reason of the server; undefined for an unknown one. */
export function textFor<Text>(texts: Readonly<Record<string, Text>>, key: string): Text | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined
}
