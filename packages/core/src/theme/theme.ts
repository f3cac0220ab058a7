import type { Hawser } from '../types/hawser.ts'
import type { ThemeMode, ThemeVariables } from '../types/theme.ts'

/** Changes the palette of the modal and the buttons. */
export function setThemeMode(hawser: Hawser, themeMode: ThemeMode): void {
  hawser.theme.setState({ themeMode })
}

/** Sets some variables; others keep their values. */
export function setThemeVariables(hawser: Hawser, themeVariables: ThemeVariables): void {
  hawser.theme.setState((state) => ({ themeVariables: { ...state.themeVariables, ...themeVariables } }))
}
