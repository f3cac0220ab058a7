import { type Api, CallError } from '../session/api.ts'
import type { TokensJson } from '../session/session.ts'
import type { DeviceDescription } from './device.ts'

/** The end of a login at a provider. */
interface SocialOutcome {
  readonly tokens: TokensJson
  readonly userName: string
}

/** Logins at a social provider and by Farcaster, one of each at a time. They end on the server: no popup has to report. */
export interface SocialLogin {
  /** Returns the address for a popup. */
  startSocial(provider: string): Promise<{ readonly uri: string }>
  waitForSocial(): Promise<SocialOutcome>
  /** Returns the handle of the login that was started, and forgets it. */
  takeHandle(): string
  /** Returns the address for the Farcaster app. */
  startFarcaster(): Promise<{ readonly url: string }>
  waitForFarcaster(): Promise<SocialOutcome>
}

const FAILED = 'Something went wrong'

/** Creates the social logins of this device. */
export function createSocialLogin(api: Api, device: DeviceDescription): SocialLogin {
  let social = ''
  let farcaster = ''

  /** Calls until the login is over, or another one was started. */
  async function wait(
    path: 'LoginService/WaitForSocial' | 'LoginService/WaitForFarcaster',
    handle: () => string,
  ): Promise<SocialOutcome> {
    const own = handle()
    if (!own) throw new CallError('failed_precondition', FAILED, 'SOCIAL_FAILED')
    for (;;) {
      const { tokens, userName = '' } = await api.call(path, { handle: own })
      if (handle() !== own) throw new CallError('canceled', FAILED)
      if (tokens) return { tokens, userName }
    }
  }

  return {
    async startSocial(provider) {
      const { handle = '', uri = '' } = await api.call('LoginService/StartSocial', { provider, device })
      social = handle
      return { uri }
    },
    async waitForSocial() {
      const outcome = await wait('LoginService/WaitForSocial', () => social)
      social = ''
      return outcome
    },
    takeHandle() {
      const handle = social
      social = ''
      return handle
    },
    async startFarcaster() {
      const { handle = '', url = '' } = await api.call('LoginService/StartFarcaster', { device })
      farcaster = handle
      return { url }
    },
    async waitForFarcaster() {
      const outcome = await wait('LoginService/WaitForFarcaster', () => farcaster)
      farcaster = ''
      return outcome
    },
  }
}
