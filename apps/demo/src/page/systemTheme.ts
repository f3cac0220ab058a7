import { type Hawser, setThemeMode, type ThemeMode } from '@hawser/core'

const light = () => matchMedia('(prefers-color-scheme: light)')

/** Returns the visitor's preferred colour scheme. */
export function systemTheme(): ThemeMode {
  return light().matches ? 'light' : 'dark'
}

/** Changes the theme whenever the system changes its own, for the life of the page. */
export function followSystemTheme(hawser: Hawser): void {
  light().addEventListener('change', () => setThemeMode(hawser, systemTheme()))
}
