import type { MessageData } from '@hawser/client'
import type { Name, Suggestion } from '@hawser/client/names'
import type { Message } from '@hawser/texts/message'
import type { Network } from './network.ts'
import type { PreviewState } from './preview.ts'
import type { ReceiverStatus } from './state.ts'

/** A registered name. */
export type NameRecord = MessageData<Name>

/** A suggested name. */
export type NameSuggestion = MessageData<Suggestion>

/**
 * `draft` while the form is edited, `signing` until the wallet answers, `registering` until the gateway answers, then
 * `registered`.
 */
export type NamesStatus = 'draft' | 'signing' | 'registering' | 'registered'

/** The registration of a name. */
export interface NamesState {
  readonly status: NamesStatus
  /** The typed label, in lower case. */
  readonly label: string
  /** For the current label: the typed name first, then similar names that are available. */
  readonly suggestions: readonly NameSuggestion[]
  /** True when the gateway could not answer whether the label is available. */
  readonly hasFailed: boolean
  /** Why the last registration failed, in English; pages translate it. */
  readonly error: Message | undefined
  /** True when the visitor declined to sign the last registration. */
  readonly isDeclined: boolean
  /** The whole name of the pending or last registration. */
  readonly name: string | undefined
  /** What the wallet is requested to sign. */
  readonly signing?: SignedStatement | undefined
}

/** The text of a change of a name, and what signing it would do; undefined with an embedded wallet, which shows its own. */
export interface SignedStatement {
  readonly text: string
  readonly preview: PreviewState | undefined
}

/** What keeps a typed label from being registered, in the order of the checks. */
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

/** The names of the active account, and the drafted change of one. */
export interface OwnNamesState {
  readonly status: OwnNamesStatus
  /** Oldest first; includes names that resolve to other accounts and names that were transferred to the account. */
  readonly records: readonly NameRecord[]
  /** The site's networks that the gateway serves. */
  readonly networks: readonly Network[]
  /** The whole name that is selected. */
  readonly chosen: string | undefined
  readonly change: NameChange | undefined
}

/** A change of one name, and its state. */
export interface NameChange {
  /** The whole name. */
  readonly name: string
  readonly draft: NameDraft
  /** `signing` until the wallet answers, `saving` until the gateway answers. */
  readonly status: 'draft' | 'signing' | 'saving'
  readonly failure: NameFailure | undefined
  /** What the wallet is requested to sign, while it is. */
  readonly signing?: SignedStatement | undefined
}

export type NameDraft =
  /** Typed texts by key (ENSIP-5); an empty text deletes the record. Other keys are unchanged. */
  | { readonly kind: 'records'; readonly attributes: Readonly<Record<string, string>> }
  /** The address for a coin type (ENSIP-11). */
  | { readonly kind: 'address'; readonly coinType: number; readonly target: NameTarget }
  | { readonly kind: 'transfer'; readonly target: NameTarget }
  /** A release, which needs the name typed. */
  | { readonly kind: 'release'; readonly typed: string }
  /** Accepts a name that was transferred to the account. */
  | { readonly kind: 'accept' }

/** An account, typed by address or by name. */
export interface NameTarget {
  readonly text: string
  readonly status: ReceiverStatus
  /** Empty while unknown. */
  readonly address: string
  /** The visitor chose the address although it may be an attacker's. */
  readonly isChosen?: true
}

/** Why a change failed. */
export interface NameFailure extends Message {
  /** The visitor in the wallet, or anything else. */
  readonly by: 'person' | 'gateway'
}

/** What keeps a change from being signed, in the order of the checks. */
export type ChangeReadiness =
  | 'invalidRecord'
  | 'unchanged'
  | 'addAddress'
  | 'invalidAddress'
  | 'ownAddress'
  | 'doubtfulAddress'
  | 'checking'
  | 'typeName'
  | 'ready'

/** What is wrong with the text of a record. */
export type RecordProblem = 'tooLong' | 'hiddenLetters' | 'noLink' | 'noPicture' | 'noHandle'

/** A coin type that a name has or may have an address for. */
export interface NameAddress {
  /** ENSIP-11. */
  readonly coinType: number
  /** Absent for a network that the site does not list. */
  readonly network: Network | undefined
  readonly address: string | undefined
}
