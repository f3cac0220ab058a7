import { resetView } from '../router/navigate.ts'
import type { Hawser } from '../types/hawser.ts'
import { initialNames, initialOwnNames } from './initialNames.ts'

/** Drops what was typed; a registration that is under way goes on unseen. */
export function resetNames(hawser: Hawser): void {
  hawser.latest.abandon('names')
  hawser.timers.cancel('names:debounce')
  hawser.names.setState(initialNames, true)
}

/** Forgets the names of an account that is gone, and what was being changed. */
export function resetOwnNames(hawser: Hawser): void {
  hawser.latest.abandon('ownNames')
  hawser.ownNames.setState(initialOwnNames, true)
}

/** Leaves the views of names when the account they were about is gone. */
export function leaveNames(hawser: Hawser): void {
  if (/^(RegisterAccountName|Name)/.test(hawser.router.getState().view)) resetView(hawser, 'Account')
}
