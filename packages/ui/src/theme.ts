/**
 * The custom properties that a theme may set. Values are any CSS value of the right kind. All styles of the modal and
 * of the buttons use these variables only.
 */
export interface ThemeVars {
  '--hw-font-family': string
  '--hw-font-family-mono': string
  /** Accent fill: primary buttons, selection, the ring while connecting. */
  '--hw-color-accent': string
  '--hw-color-accent-hover': string
  /** Text and icons on the accent fill. */
  '--hw-color-on-accent': string
  /** The accent as text on the background. */
  '--hw-color-accent-text': string
  /** A faint tint of the accent. */
  '--hw-color-accent-soft': string
  '--hw-color-background': string
  /** Rows, fields and tiles. */
  '--hw-color-surface': string
  '--hw-color-surface-hover': string
  '--hw-color-surface-pressed': string
  /** Elements above the card: toasts, tooltips. */
  '--hw-color-raised': string
  '--hw-color-border': string
  '--hw-color-border-strong': string
  '--hw-color-overlay': string
  '--hw-color-text': string
  '--hw-color-text-secondary': string
  '--hw-color-text-tertiary': string
  '--hw-color-success': string
  '--hw-color-success-soft': string
  '--hw-color-error': string
  '--hw-color-error-soft': string
  '--hw-color-warning': string
  '--hw-color-warning-soft': string
  '--hw-color-focus': string
  '--hw-color-skeleton': string
  '--hw-color-qr': string
  '--hw-color-qr-background': string
  '--hw-radius-card': string
  '--hw-radius-row': string
  '--hw-radius-button': string
  '--hw-radius-icon': string
  '--hw-radius-tag': string
  '--hw-shadow-card': string
  '--hw-shadow-raised': string
  '--hw-card-width': string
  /** Easing of entrance animations. */
  '--hw-ease-spring': string
  '--hw-ease-out': string
  '--hw-z-index': string
}

/** The palette that the variables default to. */
export type ThemeMode = 'dark' | 'light'

/** A theme: a palette and the variables that differ from it. Spread it into the options of `createHawser`. */
export interface Theme {
  themeMode: ThemeMode
  themeVariables: Partial<ThemeVars>
}

/** Named corner scales; `medium` is the default. */
export type RadiusScale = 'none' | 'small' | 'medium' | 'large'

/** Options of `darkTheme` and `lightTheme`. */
export interface ThemeOptions {
  /** Any CSS colour; hover, soft and text shades are derived from it. */
  accent?: string
  /** Text on the accent; choose it for a contrast of at least 4.5:1. */
  onAccent?: string
  radius?: RadiusScale
  fontFamily?: string
  /** Single variables, applied last. */
  vars?: Partial<ThemeVars>
}

const radiusNames = ['card', 'row', 'button', 'icon', 'tag'] as const
const radiusScales: Record<Exclude<RadiusScale, 'medium'>, readonly number[]> = {
  none: [0, 0, 0, 0, 0],
  small: [14, 10, 10, 8, 4],
  large: [36, 24, 99, 16, 99],
}

/** Returns a dark theme (near-black background), the default. */
export function darkTheme(options: ThemeOptions = {}): Theme {
  return { themeMode: 'dark', themeVariables: themeVars(options, 'white') }
}

/** Returns a light theme (white background). */
export function lightTheme(options: ThemeOptions = {}): Theme {
  return { themeMode: 'light', themeVariables: themeVars(options, 'black') }
}

function themeVars(options: ThemeOptions, towards: 'white' | 'black'): Partial<ThemeVars> {
  const { accent, onAccent, radius = 'medium', fontFamily, vars } = options
  return {
    ...(accent && accentVars(accent, towards)),
    ...(onAccent && { '--hw-color-on-accent': onAccent }),
    ...(radius !== 'medium' && radiusVars(radiusScales[radius])),
    ...(fontFamily && { '--hw-font-family': fontFamily }),
    ...vars,
  }
}

function accentVars(accent: string, towards: 'white' | 'black'): Partial<ThemeVars> {
  return {
    '--hw-color-accent': accent,
    '--hw-color-accent-hover': `color-mix(in oklab, ${accent} 88%, ${towards})`,
    '--hw-color-accent-text': `color-mix(in oklab, ${accent} 82%, ${towards})`,
    '--hw-color-accent-soft': `color-mix(in oklab, ${accent} 14%, transparent)`,
    '--hw-color-focus': accent,
  }
}

function radiusVars(scale: readonly number[]): Partial<ThemeVars> {
  return Object.fromEntries(radiusNames.map((name, index) => [`--hw-radius-${name}`, `${scale[index]}px`]))
}

/** Sets variables on an element through CSSOM, which a strict Content-Security-Policy allows; returns a function that unsets them. */
export function applyThemeVars(
  element: HTMLElement,
  vars: Readonly<Record<string, string | number>>,
): () => void {
  const names = Object.keys(vars).filter((name) => name.startsWith('--hw-'))
  for (const name of names) element.style.setProperty(name, String(vars[name]))
  return () => {
    for (const name of names) element.style.removeProperty(name)
  }
}
