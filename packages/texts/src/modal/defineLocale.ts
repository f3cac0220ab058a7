import type { Locale } from './locale.ts'
import type { Texts } from './texts.ts'

/** Creates a language from its tag, its direction, the texts of the buttons, and a chunk with the texts of the modal. */
export function defineLocale(
  language: Pick<Locale, 'tag' | 'direction' | 'buttons'>,
  load: () => Promise<{ texts: Texts }>,
): Locale {
  // Module state is safe here: the texts are code, and the same for every instance on the page.
  let texts: Texts | undefined
  return {
    ...language,
    get texts() {
      return texts
    },
    async load(importChunk = (load) => load()) {
      texts ??= (await importChunk(load)).texts as Texts
    },
  }
}
