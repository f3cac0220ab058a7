import type { Hawser } from '../types/hawser.ts'
import type { NamesState, OwnNamesState } from '../types/names.ts'

export const initialNames: NamesState = {
  status: 'draft',
  label: '',
  suggestions: [],
  hasFailed: false,
  error: undefined,
  isDeclined: false,
  name: undefined,
}

export const initialOwnNames: OwnNamesState = {
  status: 'unread',
  records: [],
  networks: [],
  chosen: undefined,
  change: undefined,
}

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
