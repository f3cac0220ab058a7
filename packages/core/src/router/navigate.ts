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
  const previous = back(hawser.router.getState())
  if (previous) hawser.router.setState(previous)
  else closeModal(hawser)
}

/** Goes back to a place in the history; closes the modal when there is no such place. */
export function goBackToIndex(hawser: Hawser, index: number): void {
  const target = backTo(hawser.router.getState(), index)
  if (target) hawser.router.setState(target)
  else closeModal(hawser)
}
