import { type Network, switchNetwork } from '@hawser/core'
import { useCallback } from 'react'
import { useHawser } from './useHawser.ts'

/**
 * Returns a function that requests that the wallet switches its network. Its promise rejects with a
 * SwitchNetworkError when the wallet does not.
 */
export function useSwitchNetwork(): (network: Network) => Promise<void> {
  const hawser = useHawser()
  return useCallback((network) => switchNetwork(hawser, { network }), [hawser])
}
