import type { Message } from '@hawser/texts/message'
import { setAccountTab } from '../account/account.ts'
import { resetView } from '../router/navigate.ts'
import { hideToast } from '../toast/toast.ts'
import type { Hawser } from '../types/hawser.ts'
import { isShown, showEnd, showFailure, showPending, showView } from './show.ts'

const ACCESS_TAB = 3

/** What an action of approvals did; see `Outcome`. A `message` is for the visitor. */
export type AccessOutcome =
  /** An approval is to be looked at. */
  | { readonly kind: 'approvalWanted' }
  | { readonly kind: 'revocationOpened' }
  /** The wallet prompts for one of the requests; `revocationAnswered` ends the prompt. */
  | ({ readonly kind: 'revocationPrompted' } & Message)
  | { readonly kind: 'revocationAnswered' }
  /** The visitor left the review. */
  | { readonly kind: 'revocationStopped' }
  | ({ readonly kind: 'revocationSucceeded' } & Message)
  | ({ readonly kind: 'revocationFailed'; readonly isDeclined: boolean } & Message)

/** Shows the view and the toast that follow an outcome of approvals. Apart from `follow`, so that it is loaded with them. */
export function reportAccess(hawser: Hawser, outcome: AccessOutcome): void {
  switch (outcome.kind) {
    case 'approvalWanted':
      setAccountTab(hawser, ACCESS_TAB)
      resetView(hawser, 'Account')
      break
    case 'revocationOpened':
      showView(hawser, 'RevokeApprovals')
      break
    case 'revocationPrompted':
      hideToast(hawser)
      if (!isShown(hawser, 'RevokeApprovals')) showPending(hawser, outcome)
      break
    case 'revocationAnswered':
      hideToast(hawser)
      break
    case 'revocationStopped':
      leaveReview(hawser)
      break
    case 'revocationSucceeded':
      leaveReview(hawser)
      showEnd(hawser, { ...outcome, hasSucceeded: true })
      break
    case 'revocationFailed':
      showFailure(hawser, outcome)
      break
  }
}

/** Goes back to the approvals. */
function leaveReview(hawser: Hawser): void {
  if (isShown(hawser, 'RevokeApprovals')) resetView(hawser, 'Account')
}
