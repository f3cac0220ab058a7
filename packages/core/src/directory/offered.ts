import type { Connector, RecentWallet, Relay } from '../types/connector.ts'
import type { DirectoryWallet } from '../types/directory.ts'
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

/** Returns the relays that the site's pairings are offered on; undefined when it offers none. */
export function offeredRelays(hawser: Hawser): readonly Relay[] | undefined {
  const { allConnectors } = hawser.connectors.getState()
  const connector = pairingConnector(allConnectors, hawser.chain.getState().activeChain)
  return connector && (connector.relays ?? ['own'])
}
