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

/** Clears the form of a new name; a pending registration continues. */
export function resetNames(hawser: Hawser): void {
  hawser.latest.abandon('names')
  hawser.timers.cancel('names:debounce')
  hawser.names.setState(initialNames, true)
}

/** Clears the account's names and the drafted change. */
export function resetOwnNames(hawser: Hawser): void {
  hawser.latest.abandon('ownNames')
  hawser.ownNames.setState(initialOwnNames, true)
}
