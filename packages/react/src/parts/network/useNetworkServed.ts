import { isNetworkServed } from '@hawser/core'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'

/** Reports whether the gateway serves the active network, as far as is known. */
export function useNetworkServed(): boolean {
  const hawser = useHawser()
  const network = useHawserState(hawser.chain, ({ activeCaipNetwork }) => activeCaipNetwork)
  return useHawserState(hawser.served, (served) => !network || isNetworkServed(served, network))
}
