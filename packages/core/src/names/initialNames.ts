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
