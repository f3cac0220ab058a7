import type { Locale, LocaleName } from '@hawser/core'
import { useMemo } from 'react'
import { setLocale } from '../locale/setLocale.ts'
import { useShownLocale } from '../locale/shownLocale.ts'
import { useHawser } from './useHawser.ts'

/** What `useLocale` returns. */
export interface LocaleControls {
  /** BCP 47 tag of the language that is shown: `en`, `pt-BR`. */
  readonly tag: string
  readonly direction: 'ltr' | 'rtl'
  /** Changes the language once its texts are loaded; rejects when they could not be loaded. */
  readonly setLocale: (locale: Locale | LocaleName) => Promise<void>
}

/** Returns the language of the modal and the buttons, and a function that changes it. */
export function useLocale(): LocaleControls {
  const hawser = useHawser()
  const { tag, direction } = useShownLocale() ?? { tag: 'en', direction: 'ltr' }
  return useMemo(
    () => ({ tag, direction, setLocale: (locale) => setLocale(hawser, locale) }),
    [hawser, tag, direction],
  )
}
