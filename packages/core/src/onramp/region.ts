import type { OptionsState } from '../types/options.ts'

/** Country and state of a visitor. */
export interface Region {
  /** ISO 3166-1 alpha-2. */
  readonly country?: string
  /** Second part of ISO 3166-2, such as `NY`. */
  readonly subdivision?: string
}

/** Returns the visitor's region: the site's option, or else that of the browser's language; empty without either. */
export function regionOf({ onrampCountry }: OptionsState): Region {
  const [country = '', subdivision] = (onrampCountry ?? browserRegion() ?? '').toUpperCase().split('-')
  if (!/^[A-Z]{2}$/.test(country)) return {}
  // Providers need the state for the United States only.
  return country === 'US' && subdivision ? { country, subdivision } : { country }
}

function browserRegion(): string | undefined {
  try {
    return new Intl.Locale(globalThis.navigator.language).region
  } catch {
    return undefined
  }
}
