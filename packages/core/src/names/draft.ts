import { resetView } from '../router/navigate.ts'
import type { Hawser } from '../types/hawser.ts'
import type { NamesState } from '../types/names.ts'

export const initialNames: NamesState = {
  status: 'draft',
  label: '',
  suggestions: [],
  hasFailed: false,
  error: undefined,
  name: undefined,
}

/** Drops what was typed; a registration that is under way goes on unseen. */
export function resetNames(hawser: Hawser): void {
  hawser.latest.abandon('names')
  hawser.timers.cancel('names:debounce')
  hawser.names.setState(initialNames, true)
}

/** Leaves the views of registering when the account they were about is gone. */
export function leaveNames(hawser: Hawser): void {
  if (hawser.router.getState().view.startsWith('RegisterAccountName')) resetView(hawser, 'Account')
}
