import { isNetworkServed } from '@hawser/core'
import { useHawser } from './useHawser.ts'
import { useHawserState } from './useHawserState.ts'

/** Reports whether the gateway serves the active network, as far as is known. */
export function useNetworkServed(): boolean {
  const hawser = useHawser()
  const network = useHawserState(hawser.chain, ({ activeCaipNetwork }) => activeCaipNetwork)
  return useHawserState(hawser.served, (served) => !network || isNetworkServed(served, network))
}
