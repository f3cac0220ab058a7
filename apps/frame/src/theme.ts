import type { Appearance } from '@hawser/vault'

/** The variables of a site's theme that the frame uses, under both of their names. */
const variables: Readonly<Record<string, string>> = {
  '--hw-color-accent': '--accent',
  '--w3m-accent': '--accent',
}

/** Matches a color without a function that could load something. */
const COLOR = /^(#[0-9a-f]{3,8}|[a-z]{3,30}|(rgb|hsl|oklch|oklab|lab|lch)a?\([\d\s.,%/a-z-]+\))$/i

/**
 * Applies the theme of the embedding page: its mode and its accent, which cannot hide the texts of the frame.
 */
export function applyTheme({ themeMode, themeVariables }: Appearance): void {
  const { dataset, style } = document.documentElement
  if (themeMode) dataset.theme = themeMode
  for (const [name, own] of Object.entries(variables)) {
    const value = themeVariables[name]
    if (typeof value === 'string' && COLOR.test(value)) style.setProperty(own, value)
  }
}
