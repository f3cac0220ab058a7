import { ThemeScope } from '@hawser/ui'
import type { ReactNode } from 'react'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'

/** Applies the theme of the nearest Hawser to its children. */
export function Themed({ children }: { children: ReactNode }) {
  const hawser = useHawser()
  const { themeMode, themeVariables } = useHawserState(hawser.theme, (state) => state)
  return (
    <ThemeScope mode={themeMode} vars={themeVariables}>
      {children}
    </ThemeScope>
  )
}
