import { isOnrampOffered } from '@hawser/core'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'

/** Whether tokens can be bought here. */
export function useOnrampOffered(): boolean {
  const hawser = useHawser()
  const options = useHawserState(hawser.options, (state) => state)
  return useHawserState(hawser.chain, (chain) => isOnrampOffered(options, chain))
}
