import type { Language } from '@hawser/texts/frame/language'
import type { Appearance, Approvals, Place, Sheet } from '@hawser/vault'

/** The view of the sheets, whose code is loaded with the first sheet. */
export interface SheetView {
  /** Draws a sheet, or redraws it. Without a language it is in English. */
  draw(sheet: Sheet, appearance: Appearance, language: Language | undefined, place?: Place): void
  /** Removes what is drawn. */
  clear(): void
}

interface DrawOptions {
  readonly approvals: Pick<Approvals, 'current' | 'place'>
  readonly loadView: () => Promise<SheetView>
  readonly loadLanguage: (locale: string) => Promise<Language | undefined>
}

/**
 * Returns a function that draws the sheet that waits for the user, if there is one, with the current
 * appearance of the embedding page. A sheet that is answered is removed at once, also while the view or the
 * language of the next one is being loaded.
 */
export function createDraw({
  approvals,
  loadView,
  loadLanguage,
}: DrawOptions): (appearance: Appearance) => Promise<void> {
  let view: SheetView | undefined
  let drawn: Sheet | undefined
  let lastDraw = 0
  /** The language that was loaded last, by what it was loaded for. */
  let loaded: { readonly locale: string; readonly language: Language } | undefined

  async function languageFor(locale: string): Promise<Language | undefined> {
    if (loaded?.locale === locale) return loaded.language
    const language = await loadLanguage(locale)
    if (language) loaded = { locale, language }
    return language
  }

  return async (appearance) => {
    lastDraw += 1
    const draw = lastDraw
    const sheet = approvals.current()
    if (drawn !== sheet) {
      drawn = undefined
      view?.clear()
    }
    if (!sheet) return
    const [found, language] = await Promise.all([view ?? loadView(), languageFor(appearance.locale)])
    view ??= found
    if (draw !== lastDraw) return
    drawn = sheet
    view.draw(sheet, appearance, language, approvals.place())
  }
}
