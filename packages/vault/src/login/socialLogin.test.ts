import { expect, test, vi } from 'vitest'
import { type Api, CallError } from '../session/api.ts'
import { createSocialLogin } from './socialLogin.ts'

test('a sign-in whose response was lost is requested again, a refused one is not', async () => {
  vi.useFakeTimers()
  const outcomes: (Error | object)[] = [
    new CallError('unavailable', ''),
    { tokens: { userId: 'alice' }, userName: 'Alice' },
    new CallError('failed_precondition', '', 'SOCIAL_FAILED'),
  ]
  const call = vi.fn(async (path: string) => {
    if (path.endsWith('/StartFarcaster')) return { handle: 'handle', url: 'https://farcaster.example' }
    const outcome = outcomes.shift()
    if (outcome instanceof Error) throw outcome
    return outcome
  })
  const login = createSocialLogin({ call } as unknown as Api, { browser: '', system: '', site: '' } as never)
  await login.startFarcaster()
  const signedIn = login.waitForFarcaster()
  await vi.runAllTimersAsync()
  expect((await signedIn).userName).toBe('Alice')
  await login.startFarcaster()
  await expect(login.waitForFarcaster()).rejects.toThrow(CallError)
  expect(call).toHaveBeenCalledTimes(5)
  vi.useRealTimers()
})
