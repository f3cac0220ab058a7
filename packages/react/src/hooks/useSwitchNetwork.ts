import { type Network, switchNetwork } from '@hawser/core'
import { useCallback } from 'react'
import { useHawser } from './useHawser.ts'

/** Requests that the wallet switches its network. The promise rejects with a SwitchNetworkError when it does not. */
export function useSwitchNetwork(): (network: Network) => Promise<void> {
  const hawser = useHawser()
  return useCallback((network) => switchNetwork(hawser, { network }), [hawser])
}
