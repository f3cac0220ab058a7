import { isolateValues } from '@hawser/client/locale/isolateValues'
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

/** Makes a language of its texts, whose values are isolated from the direction of their sentences. */
export function languageOf(tag: string, texts: Texts): Language {
  const direction = RIGHT_TO_LEFT.includes(tag) ? 'rtl' : 'ltr'
  return { tag, direction, texts: isolateValues(texts, direction) }
}

/** Says on the page itself which language it is in. */
export function applyLanguage({ documentElement }: Document, { tag, direction }: Language): void {
  documentElement.lang = tag
  documentElement.dir = direction
}
