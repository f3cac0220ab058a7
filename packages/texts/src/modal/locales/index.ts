import { findTag } from '../../format/findTag.ts'
import type { Locale, LocaleName } from '../locale.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { ko } from './ko.ts'
import { ptBR } from './pt-BR.ts'
import { tr } from './tr.ts'
import { zhCN } from './zh-CN.ts'

/** All languages but English, which is built in. */
export const locales: readonly Locale[] = [ar, de, es, fr, ja, ko, ptBR, tr, zhCN]

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
