import { updateAccount } from '../chain/chainState.ts'
import { selectAccount } from '../chain/selectors.ts'
import { toast } from '../errors/messages.ts'
import { reportLogin } from '../modal/loginFlows.ts'
import type { Hawser } from '../types/hawser.ts'
import { type EmailProblem, isEmail } from './emailLogin.ts'
import { isRefusedBecause, loginMessage } from './loginMessage.ts'
import { embeddedWallet, requireEmbedded } from './wallet.ts'

/** Opens the form that changes the user's email. */
export function editEmail(hawser: Hawser): void {
  hawser.events.emit({ event: 'EMAIL_EDIT' })
  reportLogin(hawser, { kind: 'emailEdited' })
}

/** Opens the view that leads the user to the page on which keys are exported. */
export function upgradeWallet(hawser: Hawser): void {
  hawser.events.emit({ event: 'EMAIL_UPGRADE_FROM_MODAL' })
  reportLogin(hawser, { kind: 'upgradeOpened' })
}

/**
 * Starts a change of the user's email: a code is sent to the old mailbox, or at once to the new one. Never throws: a
 * failure is reported.
 *
 * @returns `invalid` for a text that is no email address; nothing is sent then.
 */
export async function changeEmail(hawser: Hawser, text: string): Promise<EmailProblem> {
  const newEmail = text.trim()
  if (!isEmail(newEmail)) return 'invalid'
  try {
    const wallet = await embeddedWallet(hawser)
    const { action } = await wallet.updateEmail(newEmail)
    reportLogin(hawser, { kind: 'emailChangeStarted', action, newEmail })
  } catch (error) {
    if (isRefusedBecause(error, 'EMAIL_INVALID')) return 'invalid'
    reportLogin(hawser, { kind: 'loginFailed', ...loginMessage(error) })
  }
  return undefined
}

/**
 * Verifies the code of the old mailbox; another one is sent to the new mailbox.
 *
 * @param otp six digits
 * @throws Error whose message may be shown
 */
export async function verifyOldEmail(hawser: Hawser, otp: string, newEmail: string): Promise<void> {
  const wallet = await embeddedWallet(hawser)
  await wallet.updateEmailPrimaryOtp(otp)
  reportLogin(hawser, { kind: 'emailChangeStarted', action: 'VERIFY_SECONDARY_OTP', newEmail })
}

/**
 * Verifies the code of the new mailbox, which ends the change.
 *
 * @param otp six digits
 * @throws Error whose message may be shown
 */
export async function verifyNewEmail(hawser: Hawser, otp: string): Promise<void> {
  const connector = requireEmbedded(hawser)
  const wallet = await connector.getEmbeddedWallet()
  const { newEmail } = await wallet.updateEmailSecondaryOtp(otp)
  const { user } = selectAccount(hawser.chain.getState(), connector.chain)
  if (user) updateAccount(hawser.chain, connector.chain, { user: { ...user, email: newEmail } })
  reportLogin(hawser, { kind: 'emailChanged', ...toast('emailChanged') })
}
