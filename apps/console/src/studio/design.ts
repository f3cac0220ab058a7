import type { AllWallets, Features, LocaleName, Social, ThemeMode, ThemeVariables } from '@hawser/core'
import { darkTheme, lightTheme, type RadiusScale, type ThemeVars } from '@hawser/react'
import { readableOn } from './contrast.ts'

/** The colours of one palette that differ from the built-in ones: `#rrggbb`. */
export interface Palette {
  readonly accent?: string
  readonly background?: string
  readonly surface?: string
  readonly text?: string
}

/** Features that are switched on or off by themselves. */
export type Toggle =
  | 'email'
  | 'swaps'
  | 'onramp'
  | 'send'
  | 'receive'
  | 'history'
  | 'access'
  | 'smartSessions'
  | 'collapseWallets'
  | 'analytics'

/** A kind of wallet that a site can offer, by its connector. */
export type WalletKind =
  | 'injected'
  | 'walletConnect'
  | 'embeddedWallet'
  | 'solanaWallets'
  | 'bitcoinWallets'
  | 'polkadotWallets'

/** What an operator designs in the theme studio. */
export interface Design {
  /** `system` follows the theme of the visitor's system. */
  readonly mode: ThemeMode | 'system'
  readonly dark: Palette
  readonly light: Palette
  readonly radius: RadiusScale
  /** A CSS font-family; empty for the fonts of the system. */
  readonly fontFamily: string
  readonly toggles: Readonly<Record<Toggle, boolean>>
  /** The social logins, in the order to show them in. */
  readonly socials: readonly Social[]
  readonly wallets: readonly WalletKind[]
  readonly allWallets: AllWallets
  readonly locale: LocaleName
}

export const toggles: readonly Toggle[] = [
  'email',
  'swaps',
  'onramp',
  'send',
  'receive',
  'history',
  'access',
  'smartSessions',
  'collapseWallets',
  'analytics',
]

export const walletKinds: readonly WalletKind[] = [
  'injected',
  'walletConnect',
  'embeddedWallet',
  'solanaWallets',
  'bitcoinWallets',
  'polkadotWallets',
]

export const socials: readonly Social[] = [
  'google',
  'x',
  'discord',
  'farcaster',
  'github',
  'apple',
  'facebook',
]

/** The modal as it is without options, with the connectors that most sites use. */
export const initialDesign: Design = {
  mode: 'system',
  dark: {},
  light: {},
  radius: 'medium',
  fontFamily: '',
  toggles: {
    email: true,
    swaps: true,
    onramp: true,
    send: true,
    receive: true,
    history: true,
    access: true,
    smartSessions: false,
    collapseWallets: false,
    analytics: true,
  },
  socials,
  wallets: ['injected', 'walletConnect', 'embeddedWallet'],
  allWallets: 'SHOW',
  locale: 'auto',
}

/** Returns the custom properties of one palette that differ from the built-in ones. */
export function variablesOf(design: Design, mode: ThemeMode): Partial<ThemeVars> {
  const { accent } = design[mode]
  const theme = (mode === 'dark' ? darkTheme : lightTheme)({
    radius: design.radius,
    ...(accent && { accent, onAccent: readableOn(accent) }),
    ...(design.fontFamily && { fontFamily: design.fontFamily }),
    vars: paletteVariables(design[mode], mode),
  })
  return theme.themeVariables
}

/**
 * Returns the variables of a palette that no option of `darkTheme` and `lightTheme` sets: surfaces and secondary texts
 * follow from the background and the text.
 */
export function paletteVariables(
  { background, surface, text }: Palette,
  mode: ThemeMode,
): Partial<ThemeVars> {
  const towards = mode === 'dark' ? 'white' : 'black'
  const base = surface ?? (background && `color-mix(in oklab, ${background} 94%, ${towards})`)
  return {
    ...(background && { '--hw-color-background': background }),
    ...(base && {
      '--hw-color-surface': base,
      '--hw-color-surface-hover': `color-mix(in oklab, ${base} 95%, ${towards})`,
      '--hw-color-surface-pressed': `color-mix(in oklab, ${base} 90%, ${towards})`,
      '--hw-color-raised': `color-mix(in oklab, ${base} 92%, ${towards})`,
    }),
    ...(text && {
      '--hw-color-text': text,
      '--hw-color-text-secondary': `color-mix(in oklab, ${text} 78%, transparent)`,
      '--hw-color-text-tertiary': `color-mix(in oklab, ${text} 66%, transparent)`,
    }),
  }
}

/** Returns the features of a design as `createHawser` takes them. */
export function featuresOf({ toggles, socials }: Design): Partial<Features> {
  return { ...toggles, socials: socials.length > 0 ? socials : false }
}

/** Returns the theme variables of `createHawser` for a palette. */
export function themeVariablesOf(design: Design, mode: ThemeMode): ThemeVariables {
  return variablesOf(design, mode) as ThemeVariables
}

/** Reads a design that was stored; what is missing or unknown in it is as in `initialDesign`. */
export function readDesign(stored: string | null): Design {
  try {
    const found: unknown = JSON.parse(stored ?? '{}')
    if (typeof found !== 'object' || found === null) return initialDesign
    const design = found as Partial<Design>
    return {
      ...initialDesign,
      ...pick(design, [
        'mode',
        'dark',
        'light',
        'radius',
        'fontFamily',
        'socials',
        'wallets',
        'allWallets',
        'locale',
      ]),
      toggles: { ...initialDesign.toggles, ...design.toggles },
    }
  } catch {
    return initialDesign
  }
}

function pick(design: Partial<Design>, names: readonly (keyof Design)[]): Partial<Design> {
  return Object.fromEntries(
    names
      .filter((name) => typeof design[name] === typeof initialDesign[name])
      .map((name) => [name, design[name]]),
  )
}
