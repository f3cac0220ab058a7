import type { Namespace } from '../types/network.ts'
import type { OptionsState } from '../types/options.ts'
import type { ServedFeatures } from '../types/servedFeatures.ts'
import type { ChainState } from '../types/state.ts'

/** Time zones that a site may exclude with `restrictedTimezones`. */
export const RESTRICTED_TIMEZONES: readonly string[] = [
  'Asia/Shanghai',
  'Asia/Urumqi',
  'Asia/Chongqing',
  'Asia/Harbin',
  'Asia/Kashgar',
  'Asia/Macau',
  'Asia/Macao',
  'Asia/Hong_Kong',
  'Asia/Beijing',
]

const namespaces: readonly Namespace[] = ['eip155', 'solana']

/**
 * Reports whether tokens can be bought: the site enables it, the gateway has a provider as far as is known, the time
 * zone is not restricted, and the active network is supported.
 */
export function isOnrampOffered(
  { features, restrictedTimezones }: OptionsState,
  { activeChain }: ChainState,
  { onrampProviders }: ServedFeatures,
  timezone?: string,
): boolean {
  return (
    features.onramp &&
    onrampProviders?.length !== 0 &&
    namespaces.includes(activeChain) &&
    !isRestricted(restrictedTimezones, timezone)
  )
}

/** Reading the time zone takes longer than everything else here, so a site that restricts none never reads it. */
function isRestricted(restricted: readonly string[], timezone?: string): boolean {
  if (restricted.length === 0) return false
  const zone = (timezone ?? browserTimezone()).toLowerCase()
  return restricted.some((name) => name.toLowerCase() === zone)
}

function browserTimezone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
