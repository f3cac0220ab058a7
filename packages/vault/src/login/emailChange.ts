import type { ChangeProofJson } from '@hawser/client/wallet'
import type { Sessions } from '../session/session.ts'

/** A change of the user's email, one at a time. */
export interface EmailChange {
  /** Starts a change. Without a proof it needs a login of the last minutes. */
  start(
    email: string,
    proven: { readonly proof?: ChangeProofJson },
  ): Promise<'VERIFY_PRIMARY_OTP' | 'VERIFY_SECONDARY_OTP'>
  verifyOld(code: string): Promise<void>
  /** Ends the change. `startsAt` is when a first email signs in (Unix seconds); 0 if it does already. */
  verifyNew(code: string): Promise<{ readonly newEmail: string; readonly startsAt: number }>
}

/** Creates the changes of the email of a session. */
export function createEmailChange(sessions: Sessions): EmailChange {
  let challengeId = ''
  return {
    async start(email, proven) {
      const response = await sessions.call('WalletService/StartEmailChange', { email, ...proven })
      challengeId = response.challengeId ?? ''
      return response.action === 'EMAIL_CHANGE_ACTION_VERIFY_OLD'
        ? 'VERIFY_PRIMARY_OTP'
        : 'VERIFY_SECONDARY_OTP'
    },
    async verifyOld(code) {
      const response = await sessions.call('WalletService/VerifyOldEmail', { challengeId, code })
      challengeId = response.challengeId ?? ''
    },
    async verifyNew(code) {
      const response = await sessions.call('WalletService/VerifyNewEmail', { challengeId, code })
      challengeId = ''
      const { newEmail = '', startsAt = 0 } = response
      return { newEmail, startsAt: Number(startsAt) }
    },
  }
}
