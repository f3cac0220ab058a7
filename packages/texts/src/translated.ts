/** The shape of a catalogue in any language: the same keys, and functions of the same parameters. */
export type Translated<English> = English extends string
  ? string
  : English extends (...values: infer Values) => unknown
    ? (...values: Values) => string
    : { readonly [Key in keyof English]: Translated<English[Key]> }

/** Returns the text of a key that comes from outside, such as an operation of the gateway; undefined for an unknown one. */
export function textFor<Text>(texts: Readonly<Record<string, Text>>, key: string): Text | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined
}
