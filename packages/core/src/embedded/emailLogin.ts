import { toast } from '../errors/messages.ts'
import { MessageError } from '../errors/thrownMessages.ts'
import { errorMessage } from '../errors/walletErrors.ts'
import { EMAIL_COOLDOWN_MS } from '../limits.ts'
import { reportLogin } from '../modal/loginFlows.ts'
import { items } from '../storage/items.ts'
import type { EmailLoginAction } from '../types/embeddedWallet.ts'
import type { Hawser } from '../types/hawser.ts'
import { isRefusedBecause, loginMessage } from './loginMessage.ts'
import { connectUser, embeddedWallet, isFrameMissing, startLogin } from './wallet.ts'

/** The problem with a typed email; undefined when it can be used. `unreached`: the frame of the wallet was not loaded. */
export type EmailProblem = 'invalid' | 'unreached' | undefined

/** Reports whether a text looks like an email address; the mail server decides. */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text)
}

/** Returns the seconds until the next mail may be sent, rounded up; 0 once it may. */
export function emailCooldown({ storage, clock }: Hawser): number {
  const last = storage.read<unknown>(items.lastEmailLogin)
  const now = clock.now()
  // A time of the future was written by a clock that was ahead.
  if (typeof last !== 'number' || last > now) return 0
  return Math.max(0, Math.ceil((last + EMAIL_COOLDOWN_MS - now) / 1_000))
}

/**
 * Starts a login by email: sends a code, or the link that registers this device. Never throws: a failure is reported.
 *
 * @returns `invalid` for a text that is no email address, and `unreached` when the frame is not loaded after 5 seconds;
 *   nothing is sent then.
 */
export async function loginWithEmail(hawser: Hawser, text: string): Promise<EmailProblem> {
  const email = text.trim()
  if (!isEmail(email)) return 'invalid'
  try {
    const { action, words } = await sendEmail(hawser, email)
    if (action === 'CONNECT') await connectUser(hawser)
    else reportLogin(hawser, { kind: 'emailSent', action, email, ...(words && { words }) })
  } catch (error) {
    if (isFrameMissing(error)) return 'unreached'
    if (isRefusedBecause(error, 'EMAIL_INVALID')) return 'invalid'
    reportLogin(hawser, { kind: 'loginFailed', ...loginMessage(error) })
  }
  return undefined
}

/** Sends the mail of a login again. Never throws: a failure is reported. */
export async function resendEmail(hawser: Hawser, email: string): Promise<void> {
  try {
    const { action, words } = await sendEmail(hawser, email)
    reportLogin(hawser, {
      kind: 'emailResent',
      action,
      email,
      ...toast('codeResent'),
      ...(words && { words }),
    })
  } catch (error) {
    reportLogin(hawser, { kind: 'loginFailed', ...loginMessage(error) })
  }
}

/** Waits until this device is approved by the link in the mail; a code is sent then. Never throws. */
export async function waitForDevice(hawser: Hawser, email: string): Promise<void> {
  const { isCurrent } = hawser.latest.begin('emailDevice')
  try {
    const wallet = await embeddedWallet(hawser)
    await wallet.connectDevice()
    if (!isCurrent()) return
    hawser.storage.write(items.lastEmailLogin, hawser.clock.now())
    hawser.events.emit({ event: 'DEVICE_REGISTERED_FOR_EMAIL' })
    hawser.events.emit({ event: 'EMAIL_VERIFICATION_CODE_SENT' })
    reportLogin(hawser, { kind: 'deviceApproved', email })
  } catch (error) {
    if (isCurrent()) reportLogin(hawser, { kind: 'deviceFailed', ...loginMessage(error) })
  }
}

/** Stops waiting for the device, such as when its view is left. */
export function leaveDevice({ latest }: Hawser): void {
  latest.abandon('emailDevice')
}

/**
 * Verifies the code of the mail, and connects.
 *
 * @param otp six digits
 * @throws Error whose message may be shown
 */
export async function verifyEmailCode(hawser: Hawser, otp: string): Promise<void> {
  try {
    const wallet = await embeddedWallet(hawser)
    await wallet.connectOtp(otp)
  } catch (error) {
    const message = errorMessage(error)
    hawser.events.emit({ event: 'EMAIL_VERIFICATION_CODE_FAIL', properties: { message } })
    throw error
  }
  hawser.events.emit({ event: 'EMAIL_VERIFICATION_CODE_PASS' })
  await connectUser(hawser)
}

/**
 * Sends a mail of a login.
 *
 * @throws Error "Please try again after {n} seconds" within 30 seconds of the last mail.
 */
async function sendEmail(
  hawser: Hawser,
  email: string,
): Promise<{ readonly action: EmailLoginAction; readonly words?: string }> {
  const seconds = emailCooldown(hawser)
  if (seconds > 0) throw new MessageError(toast('emailThrottled', seconds))
  hawser.events.emit({ event: 'EMAIL_SUBMITTED' })
  const answer = await startLogin(hawser, (wallet) => wallet.connectEmail(email))
  if (answer.action === 'CONNECT') return answer
  hawser.storage.write(items.lastEmailLogin, hawser.clock.now())
  if (answer.action === 'VERIFY_OTP') hawser.events.emit({ event: 'EMAIL_VERIFICATION_CODE_SENT' })
  return answer
}
