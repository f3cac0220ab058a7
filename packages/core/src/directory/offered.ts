import { isPhone } from '../isPhone.ts'
import type { Connector, RecentWallet, Relay } from '../types/connector.ts'
import type { DirectoryWallet, Reach, SelectedWallet } from '../types/directory.ts'
import type { Hawser } from '../types/hawser.ts'

/** Returns the connector that pairs wallets; undefined without one. */
export function pairingConnector(
  connectors: readonly Connector[],
  namespace: Connector['chain'],
): Connector | undefined {
  const pairing = connectors.filter(({ type }) => type === 'WALLET_CONNECT')
  return pairing.find(({ chain }) => chain === namespace) ?? pairing[0]
}

/** Returns the connector of a wallet that is in this page, by its id in the directory or its rdns. */
export function connectorOf(
  connectors: readonly Connector[],
  { id, rdns }: RecentWallet,
): Connector | undefined {
  return connectors.find(
    (connector) =>
      connector.type !== 'WALLET_CONNECT' &&
      !connector.isDuplicate &&
      (connector.id === id || connector.explorerId === id || (rdns && connector.info?.rdns === rdns)),
  )
}

/** Reports whether a wallet can be paired: it answers through one of the relays that pairings are offered on. */
export function isReachable(
  { relays }: Pick<DirectoryWallet, 'relays'>,
  offered: readonly Relay[] | undefined,
): boolean {
  return relays.some((relay) => offered?.includes(relay))
}

/** Returns the ways in which the site reaches wallets outside this page from here; undefined when it pairs none. */
export function offeredReach(hawser: Hawser): readonly Reach[] | undefined {
  const { allConnectors } = hawser.connectors.getState()
  const connector = pairingConnector(allConnectors, hawser.chain.getState().activeChain)
  return connector && reachOf(connector)
}

/** Reports whether a wallet is reached from here through the public relay alone; never of one whose relays are unknown. */
export function needsPublicRelay(
  { relays = [], browserLink, browserScheme }: SelectedWallet,
  connector: Connector,
): boolean {
  const ways: readonly Reach[] = [
    ...relays,
    ...(browserLink ? (['browser'] as const) : []),
    ...(browserScheme ? (['scheme'] as const) : []),
  ]
  const reached = reachOf(connector).filter((way) => ways.includes(way))
  return reached.length === 1 && reached[0] === 'public'
}

/** On a phone this page opens in the wallet itself; at a desk a hand-off continues there. */
function reachOf({ relays = ['own'], handOff }: Connector): readonly Reach[] {
  if (isPhone()) return [...relays, 'browser', 'scheme']
  return handOff ? [...relays, 'browser'] : relays
}
