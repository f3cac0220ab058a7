import { findTag } from '../format/findTag.ts'
import type { LocaleName } from '../gen/languages.ts'
import { locales } from '../gen/locales.ts'
import type { Locale } from './locale.ts'

/**
 * Returns the language of a name; undefined for English, and for a name that is not known.
 *
 * @param wanted the tags that `auto` chooses from, the preferred one first.
 */
export function findLocale(name: LocaleName, wanted: readonly string[]): Locale | undefined {
  const wantedTag =
    name === 'auto'
      ? findTag(
          wanted,
          locales.map(({ tag }) => tag),
        )
      : name
  return locales.find(({ tag }) => tag === wantedTag)
}
