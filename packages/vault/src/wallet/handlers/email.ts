import { FrameError, providerErrorCode } from '../frameError.ts'
import { type Handlers, type SiteContext, shown } from './context.ts'

type EmailCalls =
  | 'UPDATE_EMAIL'
  | 'UPDATE_EMAIL_PRIMARY_OTP'
  | 'UPDATE_EMAIL_SECONDARY_OTP'
  | 'AWAIT_UPDATE_EMAIL'

const elsewhere = (page: string) => `Change the email on the wallet’s own page: ${page}`

/** Returns the handlers of calls that change the email. The user approves the change in a sheet; the opened wallet signs it. */
export function emailHandlers(context: SiteContext): Handlers<EmailCalls> {
  const { site, vault, approvals, accountPage } = context
  /** Whether the user approved a change that is not over. */
  let isChangingEmail = false

  function requireEmailChange() {
    if (!isChangingEmail) throw new FrameError(elsewhere(accountPage), providerErrorCode.unauthorized)
  }

  return {
    async UPDATE_EMAIL({ email: newEmail }) {
      isChangingEmail = false
      const { email: oldEmail } = await vault.getUser()
      // Older SDKs do not show the frame for this call. A first email is a new way to sign in, which no site adds.
      if (site.isLegacy || !oldEmail)
        throw new FrameError(elsewhere(accountPage), providerErrorCode.unauthorized)
      return shown(context, async () => {
        await approvals.changeEmail({ site: site.origin, oldEmail, newEmail })
        const opened = await vault.unlock()
        if (!opened.isOpen && opened.factors.length > 0)
          await approvals.unlock(opened.factors, (id, secret) => vault.unlockWith(id, secret))
        const action = await vault.startEmailChange(newEmail)
        isChangingEmail = true
        return { action }
      })
    },
    async UPDATE_EMAIL_PRIMARY_OTP({ otp }) {
      requireEmailChange()
      await vault.verifyOldEmail(otp)
      return undefined
    },
    async UPDATE_EMAIL_SECONDARY_OTP({ otp }) {
      requireEmailChange()
      const { newEmail } = await vault.verifyNewEmail(otp)
      isChangingEmail = false
      return { newEmail }
    },
    AWAIT_UPDATE_EMAIL: async () => ({ email: (await vault.getUser()).email }),
  }
}
