/**
 * Returns the tag of the first wanted language that is available, ignoring its region; `en` for English, and
 * when none is.
 *
 * @param wanted BCP 47 tags, the preferred one first; other texts are ignored.
 * @param tags BCP 47 tags of the available languages, other than English.
 */
export function findTag(wanted: readonly string[], tags: readonly string[]): string {
  for (const tag of wanted) {
    const language = languageOfTag(tag)
    if (language === 'en') return 'en'
    const found = tags.find((candidate) => languageOfTag(candidate) === language)
    if (found) return found
  }
  return 'en'
}

/**
 * Returns the language of a tag without its region: `pt`, and `zh-Hant` for traditional Chinese, which is not shown in
 * simplified characters.
 */
export function languageOfTag(tag: string): string {
  try {
    const { language, script } = new Intl.Locale(tag).maximize()
    return script === 'Hant' ? `${language}-${script}` : language
  } catch {
    return tag
  }
}
