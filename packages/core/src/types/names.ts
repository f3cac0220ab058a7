import type { NameSuggestion } from '@hawser/client/names'

export type { NameSuggestion }

/**
 * `draft` while the form is filled in, `signing` while the wallet is asked, `registering` while the gateway is, and
 * `registered` once it agreed.
 */
export type NamesStatus = 'draft' | 'signing' | 'registering' | 'registered'

/** The name the visitor is about to register. */
export interface NamesState {
  readonly status: NamesStatus
  /** What was typed, in lower case. */
  readonly label: string
  /** Of the label as it is: the wanted name first, then free ones like it. */
  readonly suggestions: readonly NameSuggestion[]
  /** True when the gateway could not say whether the label is free. */
  readonly hasFailed: boolean
  /** Why the last registration failed. */
  readonly error: string | undefined
  /** The whole name that is being registered, or was. */
  readonly name: string | undefined
}

/** What keeps a typed label from being registered, the first thing first. */
export type NameReadiness =
  | 'empty'
  | 'invalidLetters'
  | 'tooShort'
  | 'tooLong'
  | 'unavailable'
  | 'checking'
  | 'registered'
  | 'reserved'
  | 'ready'
