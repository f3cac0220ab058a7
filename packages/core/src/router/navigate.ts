import { closeModal } from '../modal/modal.ts'
import type { Hawser } from '../types/hawser.ts'
import type { RouterData, View } from '../types/router.ts'
import { back, backTo, pushed, replaced, reset } from './history.ts'

/** Pushes `view`; does nothing if it is shown already. */
export function pushView(hawser: Hawser, view: View, data?: RouterData): void {
  hawser.router.setState((state) => pushed(state, view, data))
}

/** Replaces the current view by `view`. */
export function replaceView(hawser: Hawser, view: View, data?: RouterData): void {
  hawser.router.setState((state) => replaced(state, view, data))
}

/** Shows `view` with an empty history. */
export function resetView(hawser: Hawser, view: View, data?: RouterData): void {
  hawser.router.setState((state) => reset(state, view, data))
}

/** Goes back one view; closes the modal if there is none, or if the network is unsupported. */
export function goBack(hawser: Hawser): void {
  const previous = back(hawser.router.getState())
  if (previous) hawser.router.setState(previous)
  else closeModal(hawser)
}

/** Goes back to an index of the history; closes the modal if there is none. */
export function goBackToIndex(hawser: Hawser, index: number): void {
  const target = backTo(hawser.router.getState(), index)
  if (target) hawser.router.setState(target)
  else closeModal(hawser)
}
