import { setThemeMode, setThemeVariables, type ThemeState } from '@hawser/core'
import { useMemo } from 'react'
import { useHawser } from './useHawser.ts'
import { useHawserState } from './useHawserState.ts'

/** What `useTheme` returns. */
export interface ThemeControls extends ThemeState {
  setThemeMode: (mode: ThemeState['themeMode']) => void
  setThemeVariables: (variables: ThemeState['themeVariables']) => void
}

/** Returns the theme of the modal and the buttons, and functions that change it. */
export function useTheme(): ThemeControls {
  const hawser = useHawser()
  const state = useHawserState(hawser.theme, (theme) => theme)
  const actions = useMemo(
    () => ({
      setThemeMode: (mode: ThemeState['themeMode']) => setThemeMode(hawser, mode),
      setThemeVariables: (variables: ThemeState['themeVariables']) => setThemeVariables(hawser, variables),
    }),
    [hawser],
  )
  return { ...state, ...actions }
}
