import type { Locale, OptionsState } from '@hawser/core'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'

/** Returns the language that is shown, other than English; undefined while only its name is known. */
export function shownLocale({ locale }: Pick<OptionsState, 'locale'>): Locale | undefined {
  return typeof locale === 'object' ? locale : undefined
}

/** Returns the language that is shown; undefined for English. */
export function useShownLocale(): Locale | undefined {
  return useHawserState(useHawser().options, shownLocale)
}

/** Returns the BCP 47 tag of the language that is shown, for Intl. */
export function useLocaleTag(): string {
  return useShownLocale()?.tag ?? 'en'
}
