import type { SmartSessionsState } from '../types/smartSessions.ts'

export const initialSmartSessions: SmartSessionsState = {
  status: 'unread',
  sessions: [],
}
