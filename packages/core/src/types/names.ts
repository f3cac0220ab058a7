import type { MessageData } from '@hawser/client'
import type { Name, Suggestion } from '@hawser/client/names'
import type { Network } from './network.ts'
import type { ReceiverStatus } from './state.ts'

/** What is known of a registered name. */
export type NameRecord = MessageData<Name>

/** A name that might be registered. */
export type NameSuggestion = MessageData<Suggestion>

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
  /** True when the visitor declined to sign the last registration. */
  readonly isDeclined: boolean
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

/** `unread` until the gateway has listed the names once. */
export type OwnNamesStatus = 'unread' | 'read' | 'failed'

/** The names of the account in use, and what is about to change of one. */
export interface OwnNamesState {
  readonly status: OwnNamesStatus
  /** The oldest first; also those that lead elsewhere, and those that the account was given. */
  readonly records: readonly NameRecord[]
  /** The site's networks whose addresses a name may lead to here. */
  readonly networks: readonly Network[]
  /** The whole name that is looked at. */
  readonly chosen: string | undefined
  readonly change: NameChange | undefined
}

/** A change of one name: what it is to be, and how far it came. */
export interface NameChange {
  /** The whole name. */
  readonly name: string
  readonly draft: NameDraft
  /** `signing` while the wallet is asked, `saving` while the gateway is. */
  readonly status: 'draft' | 'signing' | 'saving'
  readonly failure: NameFailure | undefined
}

export type NameDraft =
  /** What was typed, by key (ENSIP-5); an empty text stands for nothing. Under other keys the name says what it said. */
  | { readonly kind: 'records'; readonly attributes: Readonly<Record<string, string>> }
  /** Where it leads for one coin type (ENSIP-11). */
  | { readonly kind: 'address'; readonly coinType: number; readonly target: NameTarget }
  | { readonly kind: 'transfer'; readonly target: NameTarget }
  /** Given up once its name was typed. */
  | { readonly kind: 'release'; readonly typed: string }
  /** A name that the account was given is to be its own. */
  | { readonly kind: 'accept' }

/** An account, typed by address or by name. */
export interface NameTarget {
  readonly text: string
  readonly status: ReceiverStatus
  /** Empty while there is none. */
  readonly address: string
}

/** Who said no: the person in the wallet, or the gateway, which gives its reason. */
export interface NameFailure {
  readonly by: 'person' | 'gateway'
  readonly reason: string
}

/** What keeps a change from being signed, the first thing first. */
export type ChangeReadiness =
  | 'invalidRecord'
  | 'unchanged'
  | 'addAddress'
  | 'invalidAddress'
  | 'ownAddress'
  | 'checking'
  | 'typeName'
  | 'ready'

/** What is wrong with the text of a record. */
export type RecordProblem = 'tooLong' | 'hiddenLetters' | 'noLink' | 'noPicture' | 'noHandle'

/** One coin type that a name leads to, or may. */
export interface NamePlace {
  /** ENSIP-11. */
  readonly coinType: number
  /** Absent where the site did not ask for it. */
  readonly network: Network | undefined
  readonly address: string | undefined
}
