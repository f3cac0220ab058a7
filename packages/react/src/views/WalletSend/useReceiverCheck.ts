import { checkReceiver, type Doubt, openDoubt, type ReceiverCheck } from '@hawser/core'
import { useAccount } from '../../hooks/useAccount.ts'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'

export interface CheckedReceiver {
  /** What the history says about the receiver. */
  check: ReceiverCheck | undefined
  /** Why the visitor has to choose the receiver, until it is chosen. */
  doubt: Doubt | undefined
}

/** Returns what the history says about the receiver of the draft. */
export function useReceiverCheck(): CheckedReceiver {
  const hawser = useHawser()
  const send = useHawserState(hawser.send, (state) => state)
  // The check reads these as well.
  useHawserState(hawser.activity, (state) => state)
  useAccount()
  const check = checkReceiver(hawser)
  return { check, doubt: openDoubt(send, check) }
}
