import {
  createSubscription,
  fetchSmartSessions,
  grantPermissions,
  revokeSmartSession,
  type SmartSession,
  type SmartSessionGrant,
  type SmartSessionRequest,
  type SmartSessionsState,
  type Subscription,
  smartSessionsOf,
} from '@hawser/core'
import { useMemo } from 'react'
import { useAccount } from './useAccount.ts'
import { useHawser } from './useHawser.ts'
import { useHawserState } from './useHawserState.ts'

/** What `useSmartSessions` returns. */
export interface SmartSessions {
  /** `unread` until `list` was called for the active account. */
  status: SmartSessionsState['status']
  /** The sessions of the active account, newest first. */
  sessions: readonly SmartSession[]
  /**
   * Requests a session from the active account, and opens the modal once it is granted. Rejects with a SmartSessionError, with
   * the wallet's error when the visitor declines, or with a GatewayError.
   */
  grant: (request: SmartSessionRequest) => Promise<SmartSessionGrant>
  /** Reads the sessions, once the wallet has signed for it. Rejects only without an account; other failures are shown in a toast. */
  list: () => Promise<readonly SmartSession[]>
  /** Ends a session; resolves to whether the gateway has revoked it. Failures are shown in a toast. */
  revoke: (session: SmartSession) => Promise<boolean>
  /** Returns the request of a payment that repeats, for `grant`. Times are in seconds. */
  createSubscription: (subscription: Subscription) => SmartSessionRequest
}

/** Returns the smart sessions of the active account (ERC-7715). Requires the feature `smartSessions`. */
export function useSmartSessions(): SmartSessions {
  const hawser = useHawser()
  const { caipAddress } = useAccount()
  const state = useHawserState(hawser.smartSessions, (sessions) => sessions)
  const actions = useMemo(
    () => ({
      grant: (request: SmartSessionRequest) => grantPermissions(hawser, request),
      list: () => fetchSmartSessions(hawser),
      revoke: (session: SmartSession) => revokeSmartSession(hawser, session),
      createSubscription: (subscription: Subscription) => createSubscription(hawser, subscription),
    }),
    [hawser],
  )
  return {
    status: state.owner === caipAddress ? state.status : 'unread',
    sessions: smartSessionsOf(state, caipAddress),
    ...actions,
  }
}
