import { findTag, languageOfTag } from '../format/findTag.ts'
import { loadInTime } from '../format/loadChunk.ts'
import { type LanguageTag, languageTags } from '../gen/languages.ts'
import { type Language, languageOf } from './language.ts'

/**
 * Loads a language by its tag. Returns undefined for English, for an unknown tag, and when the texts do not
 * load.
 *
 * @param tag any text.
 */
export async function loadLanguage(tag: string): Promise<Language | undefined> {
  const known = languageTags.find((each) => each === tag)
  const loaded = known && (await loadInTime(() => loadTexts(known)))
  return loaded && languageOf(tag, loaded.texts)
}

/**
 * Returns the tag of the language for a visitor: the first that the site wants and the visitor reads, or else the first that the visitor reads; `en` where none
 * of them is available. A site could otherwise show warnings in a language that the visitor does not read.
 *
 * @param wanted tags of the site with a comma between them, the preferred one first; `auto` is replaced by the languages of the visitor.
 */
export function findLanguage(wanted: string, { languages }: Pick<Navigator, 'languages'>): string {
  const read = new Set(languages.map(languageOfTag))
  const both = wanted
    .split(',')
    .flatMap((tag) => (tag === 'auto' ? languages : read.has(languageOfTag(tag)) ? tag : []))
  return findTag([...both, ...languages], languageTags)
}

/** The list of the chunks is a chunk as well, so that a new language hardly makes the frame larger. */
async function loadTexts(tag: LanguageTag) {
  const { frameChunks } = await import('../gen/frameChunks.ts')
  return frameChunks[tag]()
}
