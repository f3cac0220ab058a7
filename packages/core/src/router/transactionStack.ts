import { closeModal } from '../modal/modal.ts'
import type { Hawser } from '../types/hawser.ts'
import type { TransactionAction } from '../types/router.ts'
import { goBack, goBackToIndex, resetView } from './navigate.ts'

/** Remembers what to show once the transaction now in the wallet is answered. */
export function pushTransactionStack(hawser: Hawser, action: TransactionAction): void {
  hawser.router.setState(({ transactionStack }) => ({ transactionStack: [...transactionStack, action] }))
}

/** Takes the newest remembered step; nothing when there is none. */
export function popTransactionStack(hawser: Hawser, cancel = false): void {
  const action = hawser.router.getState().transactionStack.at(-1)
  if (!action) return
  hawser.router.setState(({ transactionStack }) => ({ transactionStack: transactionStack.slice(0, -1) }))

  if (cancel) {
    goBack(hawser)
    action.onCancel?.()
    return
  }
  showOutcome(hawser, action)
  action.onSuccess?.()
}

function showOutcome(hawser: Hawser, { goBack: back, replace, view }: TransactionAction): void {
  if (back) goBack(hawser)
  else if (replace) leaveSignIn(hawser)
  else if (view) resetView(hawser, view)
}

function leaveSignIn(hawser: Hawser): void {
  const signIn = hawser.router.getState().history.indexOf('ConnectingSiwe')
  if (signIn > 0) goBackToIndex(hawser, signIn - 1)
  else closeModal(hawser)
}
