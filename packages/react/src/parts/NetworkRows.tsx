import {
  approvedFirst,
  goBack,
  isNetworkRestricted,
  type Network,
  pushView,
  selectNetwork,
  switchNetwork,
} from '@hawser/core'
import { CheckIcon, List, ListItem, Tag } from '@hawser/ui'
import { useCallback } from 'react'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { useNetwork } from '../hooks/useNetwork.ts'
import { en } from '../locale/en.ts'
import { NetworkMark } from './NetworkMark.tsx'

export interface NetworkRowsProps {
  networks: readonly Network[]
  /** Called before the network is switched. */
  onChoose?: () => void
}

/** A list of networks, those that the wallet approved first; the active one has a check mark. */
export function NetworkRows({ networks, onChoose }: NetworkRowsProps) {
  const hawser = useHawser()
  const { caipNetworkId } = useNetwork()
  const chain = useHawserState(hawser.chain, (state) => state)
  const approved = chain.chains.get(chain.activeChain)?.networkState.approvedCaipNetworkIds
  const choose = useChooseNetwork()
  return (
    <List label={en.networks.list} appearance="plain">
      {approvedFirst(networks, approved).map((network) => {
        const current = network.caipNetworkId === caipNetworkId
        return (
          <ListItem
            key={network.caipNetworkId}
            title={network.name}
            icon={<NetworkMark network={network} />}
            end={
              <>
                {network.testnet && <Tag>{en.networks.testnet}</Tag>}
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

/** Switches to a network: at once when no wallet is involved, otherwise through SwitchNetwork. */
function useChooseNetwork(): (network: Network) => void {
  const hawser = useHawser()
  return useCallback(
    (network) => {
      const current = selectNetwork(hawser.chain.getState())
      if (current?.caipNetworkId === network.caipNetworkId) return goBack(hawser)
      if (hawser.sessions.has(network.chainNamespace)) return pushView(hawser, 'SwitchNetwork', { network })
      // Without a session there is no wallet that could decline.
      void switchNetwork(hawser, { network })
    },
    [hawser],
  )
}
