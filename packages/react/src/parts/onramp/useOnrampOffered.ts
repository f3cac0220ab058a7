import { isOnrampOffered } from '@hawser/core'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'

/** Reports whether tokens can be bought on this page. */
export function useOnrampOffered(): boolean {
  const hawser = useHawser()
  const options = useHawserState(hawser.options, (state) => state)
  const served = useHawserState(hawser.served, (state) => state)
  return useHawserState(hawser.chain, (chain) => isOnrampOffered(options, chain, served))
}
