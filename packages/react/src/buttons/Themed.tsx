import { ThemeScope } from '@hawser/ui'
import type { ReactNode } from 'react'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { useShownLocale } from '../locale/shownLocale.ts'

/** Applies the theme and the language of the nearest Hawser to its children. */
export function Themed({ children }: { children: ReactNode }) {
  const hawser = useHawser()
  const locale = useShownLocale()
  const { themeMode, themeVariables } = useHawserState(hawser.theme, (state) => state)
  return (
    <ThemeScope mode={themeMode} vars={themeVariables} lang={locale?.tag} dir={locale?.direction}>
      {children}
    </ThemeScope>
  )
}
