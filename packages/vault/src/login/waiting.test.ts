import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Api, CallError } from '../session/api.ts'
import { createEmailLogin } from './emailLogin.ts'
import { createSocialLogin } from './socialLogin.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const device = { browser: 'Safari 26', system: 'iOS', site: 'https://shop.example' }
const tokens = { accessToken: 'a', refreshToken: 'r' }

/** Returns a server that is not reached for the first `outages` calls that wait, as for a page in the background. */
function serverOf(outages: number) {
  let left = outages
  const answers: Record<string, object> = {
    'LoginService/StartEmail': { action: 'EMAIL_ACTION_VERIFY_DEVICE', challengeId: 'c1' },
    'LoginService/StartSocial': { handle: 'h1', uri: 'https://provider.example/?state=s1' },
    'LoginService/StartFarcaster': { handle: 'h2', url: 'https://app.example' },
    'LoginService/WaitForDevice': { state: 'DEVICE_STATE_APPROVED' },
    'LoginService/WaitForSocial': { tokens, userName: 'ada' },
    'LoginService/WaitForFarcaster': { tokens, userName: 'ada' },
  }
  const call = vi.fn(async (path: string) => {
    if (path.includes('/WaitFor') && left-- > 0) throw new CallError('unavailable', 'Something went wrong')
    return answers[path]
  })
  return { call: call as unknown as Api['call'], now: () => 0 }
}

const logins: [string, (api: Api) => Promise<unknown>][] = [
  [
    'by email, until the device is approved',
    async (api) => {
      const login = createEmailLogin(api, device)
      await login.start('ada@example.com', undefined)
      return login.waitForDevice()
    },
  ],
  [
    'at a provider',
    async (api) => {
      const login = createSocialLogin(api, device)
      await login.startSocial('google')
      return login.waitForSocial()
    },
  ],
  [
    'by Farcaster',
    async (api) => {
      const login = createSocialLogin(api, device)
      await login.startFarcaster()
      return login.waitForFarcaster()
    },
  ],
]

describe.each(logins)('a login %s', (_, login) => {
  it('goes on when the browser ended its call, as behind another app', async () => {
    const done = login(serverOf(3))
    done.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(10_000)
    await expect(done).resolves.not.toThrow()
  })

  it('fails when the server is not reached for a minute', async () => {
    const done = expect(login(serverOf(1_000))).rejects.toMatchObject({ code: 'unavailable' })
    await vi.advanceTimersByTimeAsync(70_000)
    await done
  })
})
