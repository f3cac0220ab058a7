import type { Place } from '@hawser/client/onramp'
import type { OptionsState } from '../types/options.ts'

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
