import type { ConnectionState } from '../types/state.ts'

/** The connection state of a new page. */
export const initialConnection: ConnectionState = {
  status: 'disconnected',
  wcUri: undefined,
  wcPairingExpiry: undefined,
  wcLinking: undefined,
  wcError: false,
  buffering: false,
  recentWallet: undefined,
}
