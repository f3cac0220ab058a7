import { type Language, languageOf } from './language.ts'
import type { Texts } from './texts.ts'

/** The texts of the languages other than English by their tags, each a chunk of its own. */
const chunks: Readonly<Record<string, () => Promise<{ readonly texts: Texts }>>> = {
  ar: () => import('./texts/ar.ts'),
  de: () => import('./texts/de.ts'),
  es: () => import('./texts/es.ts'),
  fr: () => import('./texts/fr.ts'),
  ja: () => import('./texts/ja.ts'),
  ko: () => import('./texts/ko.ts'),
  'pt-BR': () => import('./texts/pt-BR.ts'),
  tr: () => import('./texts/tr.ts'),
  'zh-CN': () => import('./texts/zh-CN.ts'),
}

/** The tags of the languages other than English. */
export const tags: readonly string[] = Object.keys(chunks)

/** A page is shown in English rather than later than this. */
const PATIENCE_MS = 3_000

/** Loads a language by its tag, which may be any text. Undefined is English: for an unknown tag, and where the texts do not load. */
export async function loadLanguage(tag: string): Promise<Language | undefined> {
  const load = Object.hasOwn(chunks, tag) ? chunks[tag] : undefined
  if (!load) return undefined
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS))
  try {
    const loaded = await Promise.race([load(), timeout])
    return loaded && languageOf(tag, loaded.texts)
  } catch {
    return undefined
  }
}

/** Returns the tag of the first wanted language that there is; `en` for English, and without any. */
export function findTag(wanted: readonly string[]): string {
  for (const tag of wanted) {
    const language = languageAlone(tag)
    if (language === 'en') return 'en'
    const found = tags.find((candidate) => languageAlone(candidate) === language)
    if (found) return found
  }
  return 'en'
}

/** The language without its region: `pt`, and `zh-Hant` for traditional Chinese, which simplified Chinese does not stand for. */
function languageAlone(tag: string): string {
  try {
    const { language, script } = new Intl.Locale(tag).maximize()
    return script === 'Hant' ? `${language}-${script}` : language
  } catch {
    return tag
  }
}
