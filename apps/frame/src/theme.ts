import type { Appearance } from '@hawser/frame/wallet'

/** The variables of a site's theme that the frame uses, by either name of them. */
const variables: Readonly<Record<string, string>> = {
  '--hw-color-accent': '--accent',
  '--w3m-accent': '--accent',
}

/** A color without a function that could load anything. */
const COLOR = /^(#[0-9a-f]{3,8}|[a-z]{3,30}|(rgb|hsl|oklch|oklab|lab|lch)a?\([\d\s.,%/a-z-]+\))$/i

/** Applies the theme of the embedding page: its mode and its accent, which cannot hide what the frame says. */
export function applyTheme({ themeMode, themeVariables }: Appearance): void {
  const { dataset, style } = document.documentElement
  if (themeMode) dataset.theme = themeMode
  for (const [name, own] of Object.entries(variables)) {
    const value = themeVariables[name]
    if (typeof value === 'string' && COLOR.test(value)) style.setProperty(own, value)
  }
}
