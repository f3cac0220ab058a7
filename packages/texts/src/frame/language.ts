import { isolateValues } from '../format/isolateValues.ts'
import { rightToLeft } from '../gen/languages.ts'
import type { FrameTexts } from './texts.ts'

/** A language that the frame is shown in. */
export interface Language {
  /** BCP 47. */
  readonly tag: string
  readonly direction: 'ltr' | 'rtl'
  readonly texts: FrameTexts
}

/** Creates a language from its texts, and isolates their values from the direction of the sentences. */
export function languageOf(tag: string, texts: FrameTexts): Language {
  const direction = rightToLeft.includes(tag) ? 'rtl' : 'ltr'
  return { tag, direction, texts: isolateValues(texts, direction) }
}

/** Sets the language and the direction of the document. */
export function applyLanguage({ documentElement }: Document, { tag, direction }: Language): void {
  documentElement.lang = tag
  documentElement.dir = direction
}
