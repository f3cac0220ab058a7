import { failures } from '../failures.ts'
import { type Api, CallError } from '../session/api.ts'
import type { TokensJson } from '../session/session.ts'
import type { DeviceDescription } from './device.ts'
import { whileWaiting } from './waiting.ts'

/** The end of a login at a provider. */
interface SocialOutcome {
  readonly tokens: TokensJson
  readonly userName: string
}

/** A login at a provider that was started. */
export interface StartedSocial {
  /** Address of the provider. */
  readonly uri: string
  readonly state: string
}

/** Logins at a social provider and by Farcaster, one of each at a time. They end on the server: no popup has to report. */
export interface SocialLogin {
  /** Returns the address for a popup, and the state in it. */
  startSocial(provider: string): Promise<StartedSocial>
  /** Returns the login at a provider that was started last, if it is the one with this state. */
  startedSocial(state: string): StartedSocial | undefined
  waitForSocial(): Promise<SocialOutcome>
  /** Returns the address for the Farcaster app. */
  startFarcaster(): Promise<{ readonly url: string }>
  waitForFarcaster(): Promise<SocialOutcome>
  /** Calls `add` with the handle of the login that was started last, until its account is proven. @throws CallError */
  link(add: (handle: string) => Promise<void>): Promise<void>
  /** Ends a `link` that waits. */
  cancelLink(): void
}

/** Interval and maximum number of the attempts to add an account. */
const LINK_INTERVAL_MS = 1_000
const LINK_ATTEMPTS = 600
const NOT_PROVEN = 'SOCIAL_FAILED'

/** Creates the social logins of this device. */
export function createSocialLogin(api: Api, device: DeviceDescription): SocialLogin {
  let social = ''
  let started: StartedSocial | undefined
  let farcaster = ''
  let linked = ''

  /** Repeats a call until the login has ended, or another one was started. */
  async function wait(
    path: 'LoginService/WaitForSocial' | 'LoginService/WaitForFarcaster',
    handle: () => string,
  ): Promise<SocialOutcome> {
    const own = handle()
    if (!own) throw new CallError('failed_precondition', failures.unknown, NOT_PROVEN)
    for (;;) {
      // The server signs in this device again for a minute, if its response was lost.
      const { tokens, userName = '' } = await whileWaiting(() => api.call(path, { handle: own }))
      if (handle() !== own) throw new CallError('canceled', failures.unknown)
      if (tokens) return { tokens, userName }
    }
  }

  return {
    async startSocial(provider) {
      const { handle = '', uri = '' } = await api.call('LoginService/StartSocial', { provider, device })
      social = linked = handle
      started = { uri, state: new URL(uri).searchParams.get('state') ?? '' }
      return started
    },
    startedSocial: (state) => (started?.state === state ? started : undefined),
    async waitForSocial() {
      const outcome = await wait('LoginService/WaitForSocial', () => social)
      social = ''
      return outcome
    },
    async startFarcaster() {
      const { handle = '', url = '' } = await api.call('LoginService/StartFarcaster', { device })
      farcaster = linked = handle
      return { url }
    },
    async waitForFarcaster() {
      const outcome = await wait('LoginService/WaitForFarcaster', () => farcaster)
      farcaster = ''
      return outcome
    },
    async link(add) {
      const own = linked
      for (let attempt = 0; attempt < LINK_ATTEMPTS && own && own === linked; attempt += 1) {
        try {
          return await add(own)
        } catch (error) {
          if (!(error instanceof CallError && error.reason === NOT_PROVEN)) throw error
          await new Promise((resolve) => setTimeout(resolve, LINK_INTERVAL_MS))
        }
      }
      throw new CallError('canceled', failures.notAdded)
    },
    cancelLink() {
      linked = ''
    },
  }
}
