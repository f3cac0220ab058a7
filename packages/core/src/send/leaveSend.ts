import { toasts } from '../errors/catalogue.ts'
import { resetView } from '../router/navigate.ts'
import { showToast } from '../toast/toast.ts'
import type { Hawser } from '../types/hawser.ts'
import { resetSend } from './draft.ts'

/** Waits for the wallet no longer, as when its prompt was lost, and drops the draft: it must not be sent twice. */
export function discardSend(hawser: Hawser): void {
  resetSend(hawser)
  leaveSend(hawser)
  showToast(hawser, { message: toasts.sendDiscarded, variant: 'neutral' })
}

/** Leaves the views of sending when what they were about is gone. */
export function leaveSend(hawser: Hawser): void {
  if (hawser.router.getState().view.startsWith('WalletSend')) resetView(hawser, 'Account')
}
