import type { Cause, Phrase } from '@hawser/client/preview'

/** The sentence of a warning, by its name in `hawser.preview.v1.Phrase`. */
export type PhraseName = Exclude<keyof typeof Phrase, 'UNSPECIFIED'>

/** A common reason for which a request would fail, by its name in `hawser.preview.v1.Cause`. */
export type CauseName = Exclude<keyof typeof Cause, 'UNSPECIFIED'>

/** What the warnings and reasons of a preview say in one language. `{value}` is where a sentence names an account, a domain, a chain id or an amount. */
export interface WarningTexts {
  /** Stands for an account that is not known. */
  readonly unknownAccount: string
  readonly sentences: Readonly<Record<PhraseName, string>>
  readonly causes: Readonly<Record<CauseName, string>>
}

/** Those of the texts that a language has; the others are in the English of the service. */
export interface SomeWarningTexts {
  readonly unknownAccount?: string
  readonly sentences?: Readonly<Partial<Record<PhraseName, string>>>
  readonly causes?: Readonly<Partial<Record<CauseName, string>>>
}

/** A warning of a preview. */
export interface PhrasedWarning {
  /** The sentence in English. */
  readonly text: string
  /** Name in `hawser.preview.v1.Phrase`; another text for a sentence that this page does not know. */
  readonly phrase: string
  /** What the sentence names; empty for an account that is not known. */
  readonly value: string
}

/**
 * Returns what a warning says in another language, with its value isolated from the direction of the sentence (FIRST STRONG ISOLATE).
 * A sentence that is not known stays in English.
 */
export function warningText(
  { text, phrase, value }: PhrasedWarning,
  { sentences = {}, unknownAccount = '' }: SomeWarningTexts,
): string {
  const sentence = Object.hasOwn(sentences, phrase) ? sentences[phrase as PhraseName] : undefined
  const named = value ? `\u2068${value}\u2069` : unknownAccount
  return sentence?.replace('{value}', () => named) ?? text
}

/** Why a request would fail, or could not be simulated. */
export interface CausedReason {
  /** The reason in English, or text of a contract or a program. */
  readonly reason: string
  /** Name in `hawser.preview.v1.Cause`; another text for a reason that this page does not know. */
  readonly cause: string
}

/** Returns a reason in another language; unchanged when its cause is not known. */
export function reasonText({ reason, cause }: CausedReason, { causes = {} }: SomeWarningTexts): string {
  return (Object.hasOwn(causes, cause) ? causes[cause as CauseName] : undefined) ?? reason
}
