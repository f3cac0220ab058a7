import { describe, expect, it } from 'vitest'
import { connectVault, serveVault } from '../vault/vaultPort.ts'
import { CallError, createApi } from './api.ts'

/** `{ reason: 'RATE_LIMITED', domain: 'hawser' }` */
const LIMITED = { type: 'google.rpc.ErrorInfo', value: 'CgxSQVRFX0xJTUlURUQSBmhhd3Nlcg' }

/** Returns the error of a call whose response has these details. */
async function refused(message: string, details?: readonly object[]): Promise<CallError> {
  const api = createApi({
    projectId: '0'.repeat(32),
    prove: async () => 'proof',
    fetch: async () => Response.json({ code: 'resource_exhausted', message, details }, { status: 429 }),
    now: () => 0,
  })
  return api.call('WalletService/GetUser', {}).then(
    () => expect.unreachable(),
    (error) => error,
  )
}

describe('a call that was limited', () => {
  it.each([
    ['42 s', 'CgIIKg', 42],
    ['59.5 s, rounded up', 'CggIOxCAyrXuAQ', 60],
    ['0.2 s, rounded up', 'CgUQgISvXw', 1],
    ['3,600 s', 'CgMIkBw', 3_600],
  ])('has the seconds to wait, whatever numbers its text has: %s', async (_, value, seconds) => {
    const text = 'Requests per second limit exceeded: Rate limit exceeded. Try again at 1795488000'
    const error = await refused(text, [LIMITED, { type: 'google.rpc.RetryInfo', value }])
    expect(error).toMatchObject({
      code: 'resource_exhausted',
      reason: 'RATE_LIMITED',
      retrySeconds: seconds,
      message: `Please try again after ${seconds} seconds`,
    })
  })

  it('keeps its text where no time helps', async () => {
    const error = await refused('Too many streams at once. Try again later', [LIMITED])
    expect(error).toMatchObject({
      reason: 'RATE_LIMITED',
      retrySeconds: undefined,
      message: 'Too many streams at once. Try again later',
    })
  })

  it.each([
    undefined,
    [],
    [{ type: 'google.rpc.RetryInfo' }],
    [{ type: 'google.rpc.RetryInfo', value: 'CgA' }],
  ])('has no time with the details %j', async (details) => {
    expect(await refused('Slow down', details)).toMatchObject({
      code: 'resource_exhausted',
      reason: undefined,
      retrySeconds: undefined,
      message: 'Slow down',
    })
  })

  it('is the same in the page, whose vault runs in a worker', async () => {
    const { port1, port2 } = new MessageChannel()
    const limited = new CallError('resource_exhausted', 'Slow down', 'RATE_LIMITED', 42)
    serveVault(Promise.resolve({ getUser: () => Promise.reject(limited) } as never), port1)
    const call = connectVault(port2, () => undefined).getUser()
    await expect(call).rejects.toMatchObject({
      reason: 'RATE_LIMITED',
      retrySeconds: 42,
      message: 'Slow down',
    })
    port1.close()
  })
})

it('a call whose response breaks off failed like one without a response', async () => {
  const body = new ReadableStream({ start: (stream) => stream.error(new TypeError('network error')) })
  const api = createApi({
    projectId: '0'.repeat(32),
    prove: async () => 'proof',
    fetch: async () => new Response(body),
    now: () => 0,
  })
  await expect(api.call('WalletService/GetUser', {})).rejects.toMatchObject({
    name: 'CallError',
    code: 'unavailable',
  })
})
