import type { AccessState } from '../types/access.ts'

export const initialAccess: AccessState = {
  owner: undefined,
  isLoaded: false,
  isReading: false,
  hasFailed: false,
  approvals: [],
  delegation: undefined,
  isBackfilling: false,
  fromBlock: '',
  isTruncated: false,
  selected: [],
  wanted: undefined,
  revocation: undefined,
}
