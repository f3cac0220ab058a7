import { FrameError, providerErrorCode } from '../frameError.ts'
import { type Handlers, type SiteContext, shown } from './context.ts'
import { userOn } from './user.ts'

type LoginCalls =
  | 'CONNECT_EMAIL'
  | 'CONNECT_DEVICE'
  | 'CONNECT_OTP'
  | 'GET_SOCIAL_REDIRECT_URI'
  | 'CONNECT_SOCIAL'
  | 'GET_FARCASTER_URI'
  | 'CONNECT_FARCASTER'
  | 'SIGN_OUT'
  | 'IS_CONNECTED'

const STORAGE_DENIED =
  'This browser blocks the storage of the wallet. Allow it for this site, or use a site that can ask for a passkey'

/** Returns the handlers of calls that sign in and out. */
export function loginHandlers(context: SiteContext): Handlers<LoginCalls> {
  const { site, vault, approvals, socialStart, state } = context
  return {
    async CONNECT_EMAIL({ email }) {
      const step = await vault.startEmail(email)
      if (step.action === 'CONNECT') await ensureWallet(context)
      return step
    },
    CONNECT_DEVICE: async () => void (await vault.waitForDevice()),
    async CONNECT_OTP({ otp }) {
      await vault.verifyCode(otp)
      await ensureWallet(context)
      return undefined
    },
    async GET_SOCIAL_REDIRECT_URI({ provider }) {
      const { uri, state: login } = await vault.startSocial(provider)
      // Older SDKs wait for a message of the popup, which the page of the start would cut off.
      return { uri: site.isLegacy ? uri : socialStart(login) }
    },
    async CONNECT_SOCIAL() {
      state.userName = (await vault.waitForSocial()).userName
      await ensureWallet(context)
      return userOn(context)
    },
    GET_FARCASTER_URI: () => vault.startFarcaster(),
    async CONNECT_FARCASTER() {
      state.userName = (await vault.waitForFarcaster()).userName
      await ensureWallet(context)
      return { userName: state.userName }
    },
    async SIGN_OUT() {
      approvals.rejectAll()
      await vault.signOut()
      return undefined
    },
    async IS_CONNECTED() {
      const isConnected = await vault.isSignedIn()
      return site.isLegacy ? { isConnected } : { isConnected, isPersistent: await vault.isPersistent() }
    },
  }
}

/** Creates the wallet of a new user, who chooses a passkey or a password where the browser would forget the only factor. */
async function ensureWallet(context: SiteContext): Promise<void> {
  const { site, vault, approvals } = context
  // Who logs in does not answer what was requested of another user.
  approvals.rejectAll()
  if (await vault.ensureWallet()) return
  if (site.isLegacy) throw new FrameError(STORAGE_DENIED, providerErrorCode.unauthorized)
  const user = await vault.getUser()
  await shown(context, () =>
    approvals.secure(user, async (secret) => void (await vault.ensureWallet(secret))),
  )
}
