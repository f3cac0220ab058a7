import { activeOwner } from '../account/owner.ts'
import {
  activeCounterparties,
  type Counterparties,
  type Doubt,
  doubtAbout,
  isTrusted,
} from '../activity/counterparties.ts'
import { fetchActivityQuietly, hasHistory } from '../activity/fetchActivity.ts'
import { comparableAddress } from '../address/lookAlike.ts'
import { RECEIVER_HISTORY_MS } from '../limits.ts'
import type { ActivityState } from '../types/activity.ts'
import type { Hawser } from '../types/hawser.ts'
import type { SendState } from '../types/state.ts'

/**
 * What the sender's history and contacts say about a receiver.
 *
 * - `first`: it has no transfer to the receiver.
 * - `unread`: it could not be read, or not in time.
 */
export type ReceiverCheck = Doubt | { readonly kind: 'first' | 'unread' }

/**
 * Reads the newest page of the history, once for each draft, for the receiver to be compared with; nothing in namespaces
 * without one. Never throws.
 */
export async function readReceiverHistory(hawser: Hawser): Promise<void> {
  if (hawser.send.getState().history || !hasHistory(hawser.chain.getState().activeChain)) return
  const { isCurrent } = hawser.latest.begin('send:history')
  hawser.send.setState({ history: isHistoryLoaded(hawser) ? 'read' : 'reading' })
  const cancel = hawser.clock.after(RECEIVER_HISTORY_MS, () => {
    if (isCurrent()) hawser.send.setState({ history: 'late' })
  })
  await fetchActivityQuietly(hawser)
  cancel()
  if (isCurrent()) hawser.send.setState({ history: 'read' })
}

/** Compares the receiver of the draft with the contacts and with whom the account dealt with; undefined when there is nothing to say. */
export function checkReceiver(hawser: Hawser): ReceiverCheck | undefined {
  const send = hawser.send.getState()
  if (send.receiverStatus !== 'valid') return undefined
  const counterparties = activeCounterparties(hawser)
  const doubt = doubtAbout(send.receiverAddress, counterparties)
  if (doubt) return doubt
  const known = counterparties.get(comparableAddress(send.receiverAddress))
  if (known?.dealing === 'contact') return undefined
  if (!isHistoryLoaded(hawser)) return isAwaited(send) ? undefined : { kind: 'unread' }
  return isFirst(send, counterparties, hawser.activity.getState()) ? { kind: 'first' } : undefined
}

/** Returns why the visitor has to choose the receiver before anything is sent to it; undefined once it is chosen. */
export function openDoubt(send: SendState, check: ReceiverCheck | undefined): Doubt | undefined {
  if (check?.kind !== 'lookAlike' && check?.kind !== 'suspect') return undefined
  return send.chosenReceiver === send.receiverAddress ? undefined : check
}

/** Chooses the receiver although the history casts doubt on it; for this draft. */
export function chooseReceiver(hawser: Hawser): void {
  hawser.send.setState(({ receiverAddress }) => ({ chosenReceiver: receiverAddress }))
}

function isAwaited({ history }: SendState): boolean {
  return history === undefined || history === 'reading'
}

/** An empty history says nothing: that of a network which the gateway does not serve is empty as well. */
function isFirst(
  { receiverAddress }: SendState,
  counterparties: Counterparties,
  { transactions }: ActivityState,
): boolean {
  const known = counterparties.get(comparableAddress(receiverAddress))
  return transactions.length > 0 && !isTrusted(known?.dealing)
}

function isHistoryLoaded(hawser: Hawser): boolean {
  const { owner, isLoaded } = hawser.activity.getState()
  return isLoaded && owner === activeOwner(hawser)?.caipAddress
}
