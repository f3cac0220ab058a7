import type {
  GetDeviceRequestResponseJson,
  GetSocialRequestResponseJson,
  WalletSessionJson,
} from '@hawser/client/wallet'
import type { EmailStep } from '../login/emailLogin.ts'
import type { StartedSocial } from '../login/socialLogin.ts'
import { CallError } from '../session/api.ts'
import type { Opening } from './opening.ts'
import { signOutHere, startSession, type VaultContext } from './vaultContext.ts'

/** Logins, and the sessions that they start. */
export interface LoginVault {
  isSignedIn(): Promise<boolean>
  startEmail(email: string): Promise<EmailStep>
  waitForDevice(): Promise<void>
  verifyCode(code: string): Promise<void>
  listProviders(): Promise<{ readonly email: boolean; readonly socials: readonly string[] }>
  startSocial(provider: string): Promise<StartedSocial>
  /** Returns the login at a provider that this vault started last, if it is the one with this state. */
  startedSocial(state: string): Promise<StartedSocial | undefined>
  waitForSocial(): Promise<{ readonly userName: string }>
  startFarcaster(): Promise<{ readonly url: string }>
  waitForFarcaster(): Promise<{ readonly userName: string }>
  signOut(): Promise<void>
  listSessions(): Promise<readonly WalletSessionJson[]>
  revokeSession(id: string): Promise<void>
  revokeAllSessions(): Promise<void>
  getDeviceRequest(token: string): Promise<GetDeviceRequestResponseJson>
  decideDevice(token: string, approve: boolean): Promise<void>
  /** Returns the device that started a login at a provider. @throws CallError */
  getSocialRequest(state: string): Promise<GetSocialRequestResponseJson>
  finishSocial(
    parameters: Readonly<Record<string, string>>,
  ): Promise<{ readonly provider: string; readonly site: string }>
}

/** Creates the part of a page's vault that signs in and out. */
export function createLoginVault(context: VaultContext, { proven }: Opening): LoginVault {
  const { api, sessions, email, social } = context
  return {
    isSignedIn: async () => (await sessions.accessToken()) !== undefined,
    startEmail: async (address) => email.start(address, await sessions.accessToken()),
    waitForDevice: () => email.waitForDevice(),
    verifyCode: async (code) => startSession(context, await email.verify(code)),
    async listProviders() {
      const { email: hasEmail = false, socials = [] } = await api.call('LoginService/ListProviders', {})
      return { email: hasEmail, socials }
    },
    startSocial: (provider) => social.startSocial(provider),
    startedSocial: async (state) => social.startedSocial(state),
    async waitForSocial() {
      const { tokens, userName } = await social.waitForSocial()
      await startSession(context, tokens)
      return { userName }
    },
    startFarcaster: () => social.startFarcaster(),
    async waitForFarcaster() {
      const { tokens, userName } = await social.waitForFarcaster()
      await startSession(context, tokens)
      return { userName }
    },
    async signOut() {
      try {
        if (await sessions.current()) await sessions.call('SessionService/SignOut', {})
      } catch (error) {
        if (!(error instanceof CallError)) throw error
      } finally {
        await signOutHere(context)
      }
    },
    listSessions: async () => (await sessions.call('SessionService/ListSessions', {})).sessions ?? [],
    revokeSession: async (id) =>
      void (await sessions.call('SessionService/RevokeSession', { id, ...proven('RevokeSession', id) })),
    async revokeAllSessions() {
      await sessions.call('SessionService/RevokeAllSessions', proven('RevokeAllSessions', ''))
      await signOutHere(context)
    },
    getDeviceRequest: (token) => api.call('LoginService/GetDeviceRequest', { token }),
    decideDevice: async (token, approve) =>
      void (await api.call('LoginService/DecideDevice', { token, approve })),
    getSocialRequest: (state) => api.call('LoginService/GetSocialRequest', { state }),
    async finishSocial({ state = '', code = '', iss = '', error = '', user = '' }) {
      const { provider = '', site = '' } = await api.call('LoginService/FinishSocial', {
        state,
        code,
        iss,
        error,
        user,
      })
      return { provider, site }
    },
  }
}
