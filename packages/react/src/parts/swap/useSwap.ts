import { isSmartAccount, type SwapReadiness, type SwapState, swapReadiness, watchSwap } from '@hawser/core'
import { useEffect } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'

/** Runs the swap while one of its views is mounted; a new one starts with the data that the view was opened with. */
export function useWatchedSwap(): SwapState {
  const hawser = useHawser()
  useEffect(() => watchSwap(hawser, hawser.router.getState().data?.swap), [hawser])
  return useHawserState(hawser.swap, (state) => state)
}

/** Returns what the swap lacks. */
export function useSwapReadiness(swap: SwapState): SwapReadiness {
  const hawser = useHawser()
  return useHawserState(hawser.chain, (chain) =>
    swapReadiness(swap, chain, { isSmartAccount: isSmartAccount(hawser) }),
  )
}
