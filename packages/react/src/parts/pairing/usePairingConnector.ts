import { type Connector, isReachable, pairingConnector, type Relay, type SelectedWallet } from '@hawser/core'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'

/** Returns the connector that pairs wallets; undefined where the site has none. */
export function usePairingConnector(): Connector | undefined {
  const hawser = useHawser()
  const activeChain = useHawserState(hawser.chain, (state) => state.activeChain)
  return useHawserState(hawser.connectors, (state) => pairingConnector(state.allConnectors, activeChain))
}

/** Returns the relays that a connector offers pairings on: the operator's own unless it says otherwise. */
export function relaysOf(connector: Connector | undefined): readonly Relay[] {
  return connector?.relays ?? ['own']
}

/** Reports whether a wallet on a phone can be reached by a hand-off to its browser. */
export function canHandOff({ browserLink }: SelectedWallet, connector: Connector): boolean {
  return browserLink !== undefined && connector.handOff !== undefined
}

/** Reports whether a wallet can be paired; of one that the site added or that was used before, it is assumed. */
export function canPair(wallet: SelectedWallet, connector: Connector | undefined): boolean {
  const { relays } = wallet
  return relays === undefined || isReachable({ relays }, relaysOf(connector))
}
