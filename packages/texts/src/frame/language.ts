import { isolateValues } from '../format/isolateValues.ts'
import type { Texts } from './texts.ts'

/** A language that the frame is shown in. */
export interface Language {
  /** BCP 47. */
  readonly tag: string
  readonly direction: 'ltr' | 'rtl'
  readonly texts: Texts
}

/** The tags of the languages that run from right to left. */
const RIGHT_TO_LEFT: readonly string[] = ['ar']

/** Creates a language from its texts, and isolates their values from the direction of the sentences. */
export function languageOf(tag: string, texts: Texts): Language {
  const direction = RIGHT_TO_LEFT.includes(tag) ? 'rtl' : 'ltr'
  return { tag, direction, texts: isolateValues(texts, direction) }
}

/** Sets the language and the direction of the document. */
export function applyLanguage({ documentElement }: Document, { tag, direction }: Language): void {
  documentElement.lang = tag
  documentElement.dir = direction
}
