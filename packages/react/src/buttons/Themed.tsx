import { ThemeScope } from '@hawser/ui'
import type { ReactNode } from 'react'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'

/** Draws its children with the theme of the nearest Hawser. */
export function Themed({ children }: { children: ReactNode }) {
  const hawser = useHawser()
  const { themeMode, themeVariables } = useHawserState(hawser.theme, (state) => state)
  return (
    <ThemeScope mode={themeMode} vars={themeVariables}>
      {children}
    </ThemeScope>
  )
}
