import { disconnect, type Namespace } from '@hawser/core'
import { useCallback } from 'react'
import { useHawser } from './useHawser.ts'

/**
 * Returns a function that disconnects one namespace, or all. Failures are shown in a toast; the promise does
 * not reject.
 */
export function useDisconnect(): (namespace?: Namespace) => Promise<void> {
  const hawser = useHawser()
  return useCallback((namespace) => disconnect(hawser, namespace ? { namespace } : undefined), [hawser])
}
