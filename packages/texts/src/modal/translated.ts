/** The shape of a catalogue in any language: the same keys, and functions of the same parameters. */
export type Translated<English> = English extends string
  ? string
  : English extends (...values: infer Values) => unknown
    ? (...values: Values) => string
    : { readonly [Key in keyof English]: Translated<English[Key]> }

/** The parts of the modal whose texts are loaded with their code. */
export type Feature =
  | 'base'
  | 'buy'
  | 'getWallet'
  | 'login'
  | 'loginTitles'
  | 'names'
  | 'namespaces'
  | 'otherChains'
  | 'ownNames'
  | 'pairing'
  | 'sessions'
  | 'signing'
  | 'swap'
