import { type Approval, type Delegation, fetchApprovals, openRevocation, watchApprovals } from '@hawser/core'
import { useEffect, useMemo } from 'react'
import { useHawser } from './useHawser.ts'
import { useHawserState } from './useHawserState.ts'

/** What `useApprovals` returns. */
export interface Approvals {
  /** What others may take from the account. What is at risk most comes first. */
  approvals: readonly Approval[]
  /** The code that the account delegated to (EIP-7702). */
  delegation: Delegation | undefined
  /** False until the first answer for this account and network. */
  isLoaded: boolean
  /** The last request failed; earlier results stay. */
  hasFailed: boolean
  /** Older blocks are still being read: more may come. */
  isBackfilling: boolean
  /** Opens the modal with the review that revokes approvals. Never rejects. */
  revoke: (approvals: readonly Approval[]) => Promise<void>
  /** Reads them again. Never rejects. */
  refresh: () => Promise<void>
}

/**
 * Returns the approvals of the active account on the active network, kept fresh while the component is mounted.
 */
export function useApprovals(): Approvals {
  const hawser = useHawser()
  const state = useHawserState(hawser.access, (access) => access)
  useEffect(() => watchApprovals(hawser), [hawser])
  const actions = useMemo(
    () => ({
      revoke: (approvals: readonly Approval[]) => openRevocation(hawser, approvals),
      refresh: () => fetchApprovals(hawser),
    }),
    [hawser],
  )
  const { approvals, delegation, isLoaded = false, hasFailed = false, isBackfilling = false } = state
  return { approvals, delegation, isLoaded, hasFailed, isBackfilling, ...actions }
}
