import { goBack, type Network, pushView, selectNetwork, switchNetwork } from '@hawser/core'
import { useCallback } from 'react'
import { useHawser } from '../hooks/useHawser.ts'

/** Goes to a network: at once when no wallet has to be asked, through SwitchNetwork otherwise. */
export function useChooseNetwork(): (network: Network) => void {
  const hawser = useHawser()
  return useCallback(
    (network) => {
      const current = selectNetwork(hawser.chain.getState())
      if (current?.caipNetworkId === network.caipNetworkId) return goBack(hawser)
      if (hawser.sessions.has(network.chainNamespace)) return pushView(hawser, 'SwitchNetwork', { network })
      // Without a session nobody is asked, so this cannot be declined.
      void switchNetwork(hawser, { network })
    },
    [hawser],
  )
}
