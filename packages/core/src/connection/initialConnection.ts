import type { ConnectionState } from '../types/state.ts'

/** What a page starts with. */
export const initialConnection: ConnectionState = {
  status: 'disconnected',
  wcUri: undefined,
  wcPairingExpiry: undefined,
  wcLinking: undefined,
  wcError: false,
  buffering: false,
  recentWallet: undefined,
}
