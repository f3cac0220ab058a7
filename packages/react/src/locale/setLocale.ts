import { type Hawser, importModule, type Locale, type LocaleName } from '@hawser/core'
import { shownLocale } from './shownLocale.ts'

/**
 * Changes the language of the modal and the buttons, also while the modal is open. The language changes once its texts
 * are loaded; of several calls the last one counts.
 *
 * @throws when the texts could not be loaded; the language then stays.
 */
export async function setLocale(hawser: Hawser, choice: Locale | LocaleName): Promise<void> {
  const latest = hawser.latest.begin('locale')
  // Without the texts of the old language, the modal has not been shown in that language yet.
  if (!isLocaleLoaded(hawser)) hawser.options.setState({ locale: choice })
  const locale = typeof choice === 'object' ? choice : await localeOf(choice)
  await locale?.load((load) => importModule(load, 'texts'))
  if (latest.isCurrent()) hawser.options.setState({ locale })
}

/** Reports whether the modal can be shown in its language. */
export function isLocaleLoaded(hawser: Hawser): boolean {
  const { locale } = hawser.options.getState()
  return locale === undefined || locale === 'en' || shownLocale({ locale })?.texts !== undefined
}

/** Loads the texts of the site's language before they are shown. They are English when they could not be loaded. */
export async function loadLocale(hawser: Hawser): Promise<void> {
  const { locale } = hawser.options.getState()
  if (!locale || isLocaleLoaded(hawser)) return
  try {
    await setLocale(hawser, locale)
  } catch (error) {
    console.error('The language of the modal could not be loaded', error)
    if (hawser.options.getState().locale === locale) hawser.options.setState({ locale: undefined })
  }
}

/** Returns the language of a name; undefined for English. */
async function localeOf(name: LocaleName): Promise<Locale | undefined> {
  if (name === 'en') return undefined
  const { findLocale } = await importModule(() => import('@hawser/texts/modal/findLocale'), 'findLocale')
  return findLocale(name, [...navigator.languages, document.documentElement.lang])
}
