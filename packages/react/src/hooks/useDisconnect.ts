import { disconnect, type Namespace } from '@hawser/core'
import { useCallback } from 'react'
import { useHawser } from './useHawser.ts'

/** Disconnects one namespace, or all. Failures are told in a toast; the promise never rejects for them. */
export function useDisconnect(): (namespace?: Namespace) => Promise<void> {
  const hawser = useHawser()
  return useCallback((namespace) => disconnect(hawser, namespace ? { namespace } : undefined), [hawser])
}
