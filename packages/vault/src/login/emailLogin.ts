import { failures } from '../failures.ts'
import { type Api, CallError } from '../session/api.ts'
import type { TokensJson } from '../session/session.ts'
import type { DeviceDescription } from './device.ts'
import { whileWaiting } from './waiting.ts'

/** The next step of a login by email. */
export interface EmailStep {
  readonly action: 'VERIFY_DEVICE' | 'VERIFY_OTP' | 'CONNECT'
  /** Two words that the approval page shows too; with VERIFY_DEVICE alone. */
  readonly words?: string
}

interface Challenge {
  readonly email: string
  readonly id: string
  readonly words: string
  readonly isDeviceApproved: boolean
}

/** A login by email, one at a time. */
export interface EmailLogin {
  /** Starts a login; for the email of the open challenge, sends its mail again. */
  start(email: string, accessToken: string | undefined): Promise<EmailStep>
  /** Resolves when the device is approved. @throws CallError when it is denied, or the challenge is over. */
  waitForDevice(): Promise<void>
  /** Returns the tokens of the new session. */
  verify(code: string): Promise<TokensJson | undefined>
}

/** Creates a login by email for this device. */
export function createEmailLogin(api: Api, device: DeviceDescription): EmailLogin {
  let challenge: Challenge | undefined

  function open(): Challenge {
    if (!challenge) throw new CallError('failed_precondition', failures.loginOver, 'CHALLENGE_ENDED')
    return challenge
  }

  /** Ends the challenge when the server reports that it is over. */
  async function ending<T>(call: Promise<T>): Promise<T> {
    try {
      return await call
    } catch (error) {
      if (isEnded(error)) challenge = undefined
      throw error
    }
  }

  return {
    async start(email, accessToken) {
      if (challenge?.email === email) {
        const { id, words, isDeviceApproved } = challenge
        try {
          await ending(api.call('LoginService/ResendCode', { challengeId: id }))
          return isDeviceApproved ? { action: 'VERIFY_OTP' } : { action: 'VERIFY_DEVICE', words }
        } catch (error) {
          if (!isEnded(error)) throw error
        }
      }
      const response = await api.call('LoginService/StartEmail', { email, device }, accessToken)
      if (response.action === 'EMAIL_ACTION_CONNECT') return { action: 'CONNECT' }
      const isDeviceApproved = response.action === 'EMAIL_ACTION_VERIFY_CODE'
      const words = response.words ?? ''
      challenge = { email, id: response.challengeId ?? '', words, isDeviceApproved }
      return isDeviceApproved ? { action: 'VERIFY_OTP' } : { action: 'VERIFY_DEVICE', words }
    },
    async waitForDevice() {
      for (;;) {
        const { id } = open()
        const wait = () => api.call('LoginService/WaitForDevice', { challengeId: id })
        const { state } = await ending(whileWaiting(wait))
        if (challenge?.id !== id) throw new CallError('canceled', failures.loginOver)
        if (state === 'DEVICE_STATE_APPROVED') {
          challenge = { ...challenge, isDeviceApproved: true }
          return
        }
        if (state === 'DEVICE_STATE_DENIED') {
          challenge = undefined
          throw new CallError('permission_denied', failures.loginDenied)
        }
      }
    },
    async verify(code) {
      const { tokens } = await ending(api.call('LoginService/VerifyCode', { challengeId: open().id, code }))
      challenge = undefined
      return tokens
    },
  }
}

const isEnded = (error: unknown) => error instanceof CallError && error.reason === 'CHALLENGE_ENDED'
