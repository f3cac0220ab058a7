import type { Message } from '@hawser/texts/message'
import { goBack, goBackToIndex, pushView, replaceView, resetView } from '../router/navigate.ts'
import { showToast } from '../toast/toast.ts'
import type { EmailChangeAction, Social } from '../types/embeddedWallet.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace } from '../types/network.ts'
import type { RouterData, View } from '../types/router.ts'
import { openModal, setModalLoading } from './modal.ts'

/** What an action of the embedded wallet did; see `Outcome`. A `message` is for the visitor. */
export type LoginOutcome =
  /** A mail with a code, or with the link that registers this device. */
  | {
      readonly kind: 'emailSent'
      readonly action: 'VERIFY_DEVICE' | 'VERIFY_OTP'
      readonly email: string
      readonly words?: string
    }
  | ({
      readonly kind: 'emailResent'
      readonly action: 'VERIFY_DEVICE' | 'VERIFY_OTP' | 'CONNECT'
      readonly email: string
      readonly words?: string
    } & Message)
  /** This device was approved; a code was sent. */
  | { readonly kind: 'deviceApproved'; readonly email: string }
  | ({ readonly kind: 'deviceFailed' } & Message)
  | ({ readonly kind: 'loginFailed' } & Message)
  | { readonly kind: 'socialSelected'; readonly social: Social }
  | ({ readonly kind: 'socialFailed' } & Message)
  | { readonly kind: 'emailEdited' }
  | { readonly kind: 'upgradeOpened' }
  /** A code was sent to one of the two mailboxes. */
  | { readonly kind: 'emailChangeStarted'; readonly action: EmailChangeAction; readonly newEmail: string }
  | ({ readonly kind: 'emailChanged' } & Message)
  | { readonly kind: 'accountTypeChanging'; readonly isPending: boolean; readonly namespace: Namespace }
  /** A request waits in the frame. */
  | { readonly kind: 'approvalNeeded' }
  /** No request waits in the frame any more. */
  | { readonly kind: 'approvalEnded' }
  | ({ readonly kind: 'requestNotAllowed' } & Message)

/** How long after the modal was opened the toast of a refused request is shown, in milliseconds. */
const NOT_ALLOWED_DELAY_MS = 300

const codeViews = { VERIFY_DEVICE: 'EmailVerifyDevice', VERIFY_OTP: 'EmailVerifyOtp' } as const
const changeViews = {
  VERIFY_PRIMARY_OTP: 'UpdateEmailPrimaryOtp',
  VERIFY_SECONDARY_OTP: 'UpdateEmailSecondaryOtp',
} as const

/**
 * Shows the view and the toast that follow an outcome of the embedded wallet. Apart from `follow`, so that it is loaded
 * with the embedded wallet and not with the page.
 */
export function reportLogin(hawser: Hawser, outcome: LoginOutcome): void {
  switch (outcome.kind) {
    case 'emailSent':
      pushView(hawser, codeViews[outcome.action], codeData(outcome))
      break
    case 'emailResent':
      if (outcome.action !== 'CONNECT') {
        replaceView(hawser, codeViews[outcome.action], codeData(outcome))
        hawser.router.setState({ data: codeData(outcome) })
      }
      showToast(hawser, { ...outcome, variant: 'success' })
      break
    case 'deviceApproved':
      replaceView(hawser, 'EmailVerifyOtp', { email: outcome.email })
      break
    case 'deviceFailed':
      if (isShown(hawser, 'EmailVerifyDevice')) goBack(hawser)
      showToast(hawser, { ...outcome, variant: 'error' })
      break
    case 'loginFailed':
      showToast(hawser, { ...outcome, variant: 'error' })
      break
    case 'socialSelected':
      pushView(hawser, outcome.social === 'farcaster' ? 'ConnectingFarcaster' : 'ConnectingSocial', {
        social: outcome.social,
      })
      break
    case 'socialFailed':
      if (isShown(hawser, 'ConnectingFarcaster')) goBack(hawser)
      showToast(hawser, { ...outcome, variant: 'error' })
      break

    case 'emailEdited':
      pushView(hawser, 'UpdateEmailWallet')
      break
    case 'upgradeOpened':
      pushView(hawser, 'UpgradeEmailWallet')
      break
    case 'emailChangeStarted':
      showChange(hawser, changeViews[outcome.action], outcome.newEmail)
      break
    case 'emailChanged':
      leaveEmailChange(hawser)
      showToast(hawser, { ...outcome, variant: 'success' })
      break
    case 'accountTypeChanging':
      setModalLoading(hawser, outcome.isPending, outcome.namespace)
      break

    case 'approvalNeeded':
      if (hawser.modal.getState().open) pushView(hawser, 'ApproveTransaction')
      else openModal(hawser, { view: 'ApproveTransaction' })
      break
    case 'approvalEnded':
      if (isShown(hawser, 'ApproveTransaction')) goBack(hawser)
      break
    case 'requestNotAllowed':
      if (!hawser.modal.getState().open) openModal(hawser)
      hawser.timers.set('requestNotAllowed', NOT_ALLOWED_DELAY_MS, () =>
        showToast(hawser, { ...outcome, variant: 'error' }),
      )
      break
  }
}

function codeData({ email, words }: { email: string; words?: string }): RouterData {
  return { email, ...(words && { words }) }
}

/** Shows a form of an email change. The code of the new mailbox replaces that of the old one. */
function showChange(hawser: Hawser, view: View, newEmail: string): void {
  if (isShown(hawser, 'UpdateEmailPrimaryOtp')) replaceView(hawser, view, { newEmail })
  else pushView(hawser, view, { newEmail })
}

function leaveEmailChange(hawser: Hawser): void {
  const form = hawser.router.getState().history.indexOf('UpdateEmailWallet')
  if (form > 0) goBackToIndex(hawser, form - 1)
  else resetView(hawser, 'Account')
}

function isShown(hawser: Hawser, view: View): boolean {
  return hawser.modal.getState().open && hawser.router.getState().view === view
}
