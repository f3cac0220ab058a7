import { type Connector, isReachable, pairingConnector, type Relay, type SelectedWallet } from '@hawser/core'
import type { Texts } from '@hawser/texts/modal/texts'
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

/** Returns the name of a pairing by a code: that of the connector, WalletConnect, only where wallets of the public relay can scan it. */
export function codeName(connector: Connector | undefined, texts: Texts['pairing']): string {
  return connector?.relays?.includes('public') ? connector.name : texts.all.code
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
