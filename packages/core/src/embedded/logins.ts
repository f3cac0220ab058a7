import type { Connector, EmbeddedLogins } from '../types/connector.ts'
import type { Social } from '../types/embeddedWallet.ts'
import type { ConnectMethod, Features } from '../types/options.ts'
import type { ServedFeatures } from '../types/servedFeatures.ts'
import type { ConnectorsState } from '../types/state.ts'

const none: EmbeddedLogins = { email: false, socials: [], accountUrl: '' }

/** Returns the connector of the site's embedded wallet; undefined without one. */
export function embeddedConnector(connectors: readonly Connector[]): Connector | undefined {
  return connectors.find(({ type }) => type === 'AUTH')
}

/**
 * Returns the logins to offer: what the embedded wallet has, the features of the site leave on, and the gateway is
 * configured with.
 */
export function offeredLogins(
  { allConnectors }: Pick<ConnectorsState, 'allConnectors'>,
  { email, socials }: Features,
  { logins: served }: ServedFeatures,
): EmbeddedLogins {
  const logins = embeddedConnector(allConnectors)?.logins ?? none
  const isOffered = (social: Social) =>
    logins.socials.includes(social) && served?.socials.includes(social) !== false
  return {
    ...logins,
    email: email && logins.email && served?.email !== false,
    socials: socials ? socials.filter(isOffered) : [],
  }
}

/** Returns the ways to connect in the order to show them: wallets first for a visitor who has one installed. */
export function connectMethods(
  { connectMethodsOrder }: Features,
  { allConnectors }: Pick<ConnectorsState, 'allConnectors'>,
): readonly ConnectMethod[] {
  const isInstalled = allConnectors.some(({ type }) => type === 'ANNOUNCED' || type === 'INJECTED')
  const byDefault: readonly ConnectMethod[] = isInstalled
    ? ['wallet', 'email', 'social']
    : ['email', 'social', 'wallet']
  return [...new Set([...(connectMethodsOrder ?? []), ...byDefault])]
}
