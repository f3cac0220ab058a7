import { activeOwner } from '../account/owner.ts'
import { pushView } from '../router/navigate.ts'
import type { SentTransaction } from '../types/activity.ts'
import type { Hawser } from '../types/hawser.ts'
import { isShown, viewOf } from './show.ts'

/**
 * Shows a transaction that gave a dangerous approval once the account is opened next, unless it is shown already or another one was sent
 * since: the approval can be revoked from there.
 */
export function offerRevocation(hawser: Hawser, { approval, owner, transaction }: SentTransaction): void {
  if (!approval || isShown(hawser, 'TransactionStatus')) return
  const given = () => {
    const last = hawser.send.getState().sent?.transaction
    return last?.id === transaction.id && last.metadata.status !== 'failed'
  }
  const stop = hawser.modal.subscribe(({ open }, before) => {
    if (!open || before.open) return
    if (given() && viewOf(hawser) !== 'Account') return
    stop()
    if (given() && activeOwner(hawser)?.caipAddress === owner) pushView(hawser, 'TransactionStatus')
  })
}
