import {
  approvedFirst,
  type Connector,
  goBack,
  type Hawser,
  isNetworkRestricted,
  type Namespace,
  type Network,
  pushView,
  selectNetwork,
  setActiveNetwork,
  switchNetwork,
} from '@hawser/core'
import { CheckIcon, List, ListItem, Tag } from '@hawser/ui'
import { useCallback } from 'react'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { useNetwork } from '../hooks/useNetwork.ts'
import { useTexts } from '../locale/useTexts.ts'
import { NetworkMark } from './NetworkMark.tsx'

export interface NetworkRowsProps {
  /** Of one namespace. */
  networks: readonly Network[]
  label?: string
  /** Called before the network is switched. */
  onChoose?: () => void
}

/** A list of networks, those that the wallet approved first; the active one has a check mark. */
export function NetworkRows({ networks, label, onChoose }: NetworkRowsProps) {
  const texts = useTexts()
  const hawser = useHawser()
  const { caipNetworkId } = useNetwork()
  const chain = useHawserState(hawser.chain, (state) => state)
  const namespace = networks[0]?.chainNamespace ?? chain.activeChain
  const approved = chain.chains.get(namespace)?.networkState.approvedCaipNetworkIds
  const choose = useChooseNetwork()
  return (
    <List label={label ?? texts.networks.list} appearance="plain">
      {approvedFirst(networks, approved).map((network) => {
        const current = network.caipNetworkId === caipNetworkId
        return (
          <ListItem
            key={network.caipNetworkId}
            title={network.name}
            icon={<NetworkMark network={network} />}
            end={
              <>
                {network.testnet && <Tag>{texts.networks.testnet}</Tag>}
                {current && (
                  <span className="hw-current">
                    <CheckIcon />
                  </span>
                )}
              </>
            }
            current={current}
            disabled={!current && isNetworkRestricted(chain, network)}
            data-testid={`w3m-network-switch-${network.name}`}
            onSelect={() => {
              onChoose?.()
              choose(network)
            }}
          />
        )
      })}
    </List>
  )
}

/**
 * Returns a function that switches to a network: at once if no wallet has to approve it, otherwise through
 * SwitchNetwork. For a namespace without a wallet, the connected wallet is connected there too if possible;
 * otherwise the visitor is offered another wallet.
 */
export function useChooseNetwork(): (network: Network) => void {
  const hawser = useHawser()
  return useCallback(
    (network) => {
      const { chainNamespace: namespace } = network
      const isConnected = hawser.sessions.has(namespace)
      const current = selectNetwork(hawser.chain.getState())
      if (current?.caipNetworkId === network.caipNetworkId) return goBack(hawser)
      if (isConnected && selectNetwork(hawser.chain.getState(), namespace) === network) {
        setActiveNetwork(hawser, network)
        return goBack(hawser)
      }
      // Only EVM wallets are on one network at a time.
      if (isConnected && namespace === 'eip155') return pushView(hawser, 'SwitchNetwork', { network })
      if (isConnected || hawser.sessions.size === 0) return void switchNetwork(hawser, { network })
      const connector = siblingConnector(hawser, namespace)
      if (connector) pushView(hawser, 'ConnectingExternal', { connector })
      else pushView(hawser, 'SwitchActiveChain', { network })
    },
    [hawser],
  )
}

/**
 * Returns the entry of the connected wallet for another namespace; undefined for a wallet of a single
 * namespace.
 */
function siblingConnector({ chain, connectors }: Hawser, namespace: Namespace): Connector | undefined {
  const { connectors: listed, activeConnectorIds } = connectors.getState()
  const id = activeConnectorIds[chain.getState().activeChain]
  const wallet = listed.find((each) => each.connectors?.some((connector) => connector.id === id))
  return wallet?.connectors?.find((connector) => connector.chain === namespace)
}
