import { updateAccount } from '../chain/chainState.ts'
import { selectAccount } from '../chain/selectors.ts'
import { FARCASTER_RESET_DELAY_MS } from '../constants.ts'
import { closeModal } from '../modal/modal.ts'
import type { Hawser } from '../types/hawser.ts'
import type { RouterData, View } from '../types/router.ts'
import { back, backTo, pushed, replaced, reset } from './history.ts'

/** Shows `view` on top of the current one; nothing when it is already shown. */
export function pushView(hawser: Hawser, view: View, data?: RouterData): void {
  hawser.router.setState((state) => pushed(state, view, data))
}

/** Shows `view` in the place of the current one. */
export function replaceView(hawser: Hawser, view: View, data?: RouterData): void {
  hawser.router.setState((state) => replaced(state, view, data))
}

/** Shows `view` with no way back. */
export function resetView(hawser: Hawser, view: View, data?: RouterData): void {
  hawser.router.setState((state) => reset(state, view, data))
}

/** Goes one view back; closes the modal when there is none, or when the chain is unsupported. */
export function goBack(hawser: Hawser): void {
  const left = hawser.router.getState()
  const leavesFarcaster =
    left.view === 'ConnectingFarcaster' && !selectAccount(hawser.chain.getState()).address
  const previous = back(left)
  if (previous) hawser.router.setState(previous)
  else closeModal(hawser)
  if (leavesFarcaster) hawser.timers.set('farcaster', FARCASTER_RESET_DELAY_MS, () => resetFarcaster(hawser))
}

/** Goes back to a place in the history; closes the modal when there is no such place. */
export function goBackToIndex(hawser: Hawser, index: number): void {
  const target = backTo(hawser.router.getState(), index)
  if (target) hawser.router.setState(target)
  else closeModal(hawser)
}

function resetFarcaster(hawser: Hawser): void {
  const { activeChain } = hawser.chain.getState()
  updateAccount(hawser.chain, activeChain, { farcasterUrl: undefined })
  const auth = hawser.connectors.getState().allConnectors.find(({ type }) => type === 'AUTH')
  void auth?.reset?.().catch(() => undefined)
}
