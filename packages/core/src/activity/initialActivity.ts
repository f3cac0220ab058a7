import type { ActivityState } from '../types/activity.ts'

export const initialActivity: ActivityState = {
  owner: undefined,
  isLoaded: false,
  reading: undefined,
  hasFailed: false,
  transactions: [],
  next: undefined,
  coverage: undefined,
  sent: [],
}
