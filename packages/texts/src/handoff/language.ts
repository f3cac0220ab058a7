import { findTag } from '../format/findTag.ts'
import { isolateValues } from '../format/isolateValues.ts'
import { loadChunk } from '../format/loadChunk.ts'
import { handoff } from '../gen/en/handoff.ts'
import { handoffChunks, rightToLeft } from '../gen/languages.ts'
import type { HandoffTexts } from '../gen/types.ts'

export type { HandoffTexts } from '../gen/types.ts'

/** A language that the wallet page is shown in. */
export interface HandoffLanguage {
  /** BCP 47. */
  readonly tag: string
  readonly direction: 'ltr' | 'rtl'
  readonly texts: HandoffTexts
}

/** English, which is built in. */
export const english: HandoffLanguage = languageOf('en', handoff)

/** Loads the first of the visitor's languages that there is; English when it does not load. */
export async function loadHandoffLanguage({
  languages,
}: Pick<Navigator, 'languages'>): Promise<HandoffLanguage> {
  const tag = findTag(languages, Object.keys(handoffChunks))
  const loaded = await loadChunk(handoffChunks, tag)
  return loaded ? languageOf(tag, loaded.texts) : english
}

function languageOf(tag: string, texts: HandoffTexts): HandoffLanguage {
  const direction = rightToLeft.includes(tag) ? 'rtl' : 'ltr'
  return { tag, direction, texts: isolateValues(texts, direction) }
}
