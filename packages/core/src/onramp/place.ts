import type { OptionsState } from '../types/options.ts'

/** Where a visitor lives. */
export interface Place {
  /** ISO 3166-1 alpha-2. */
  readonly country?: string
  /** Second part of ISO 3166-2, such as `NY`. */
  readonly subdivision?: string
}

/** Where the visitor buys: as the site says, else the region of the browser's language. Nothing where neither says. */
export function placeOf({ onrampCountry }: OptionsState): Place {
  const [country = '', subdivision] = (onrampCountry ?? browserRegion() ?? '').toUpperCase().split('-')
  if (!/^[A-Z]{2}$/.test(country)) return {}
  // Sellers ask for the state of the United States alone.
  return country === 'US' && subdivision ? { country, subdivision } : { country }
}

function browserRegion(): string | undefined {
  try {
    return new Intl.Locale(globalThis.navigator.language).region
  } catch {
    return undefined
  }
}
