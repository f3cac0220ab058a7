import { type EmbeddedLogins, isInTelegram, offeredLogins, type Social } from '@hawser/core'
import { useMemo } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'

/** Returns the logins that this page can offer in this browser. */
export function useLogins(): EmbeddedLogins {
  const hawser = useHawser()
  const connectors = useHawserState(hawser.connectors, (state) => state)
  const features = useHawserState(hawser.options, (options) => options.features)
  const served = useHawserState(hawser.served, (state) => state)
  return useMemo(() => {
    const logins = offeredLogins(connectors, features, served)
    const blocked = isInTelegram() ? blockedInTelegram(navigator.userAgent) : []
    return { ...logins, socials: logins.socials.filter((social) => !blocked.includes(social)) }
  }, [connectors, features, served])
}

/** Returns the providers that refuse to log users in inside Telegram's own browser. */
export function blockedInTelegram(userAgent: string): readonly Social[] {
  if (/Android/.test(userAgent)) return ['facebook', 'x']
  if (/iPhone|iPad|iPod/.test(userAgent)) return ['google']
  return /Macintosh/.test(userAgent) ? ['x'] : []
}
