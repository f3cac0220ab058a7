import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HttpError, InvalidResponseError, NetworkError, TimeoutError } from '../rest/errors.ts'
import { WatchError } from './openStream.ts'
import { type AccountChange, watchAccount } from './watchAccount.ts'

const projectId = '00000000000000000000000000000001'
const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

const ether = { name: 'Ether', symbol: 'ETH', quantity: { decimals: '18', numeric: '1.000000000000000001' } }

/** An envelope as the gateway sends it. */
function sent(message: unknown, flags = 0): Uint8Array<ArrayBuffer> {
  const body = new TextEncoder().encode(JSON.stringify(message))
  return new Uint8Array([flags, ...[24, 16, 8, 0].map((shift) => body.length >> shift), ...body])
}

const END = 2
const wellEnded = sent({}, END)

/** A gateway whose stream consists of these pieces. */
function streaming(pieces: readonly Uint8Array<ArrayBuffer>[], { close = true, status = 200 } = {}) {
  const asked: Request[] = []
  const cancelled = vi.fn()
  const fetch: typeof globalThis.fetch = async (input, init) => {
    asked.push(new Request(input, { ...init, signal: null }))
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece)
        if (close) controller.close()
        init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason))
      },
      cancel: cancelled,
    })
    return new Response(body, { status, headers: { 'content-type': 'application/connect+json' } })
  }
  return { asked, fetch, cancelled }
}

function watch(fetch: typeof globalThis.fetch, signal = new AbortController().signal) {
  const baseUrl = 'https://gateway.test/'
  return watchAccount({
    baseUrl,
    projectId,
    address: ADDRESS,
    chainId: 'eip155:31337',
    currency: 'usd',
    signal,
    fetch,
  })
}

async function all(changes: AsyncIterable<AccountChange>): Promise<AccountChange[]> {
  const list: AccountChange[] = []
  for await (const change of changes) list.push(change)
  return list
}

describe('the question', () => {
  it('is one envelope of the Connect protocol that names project, account and chain', async () => {
    const { asked, fetch } = streaming([wellEnded])
    await all(watch(fetch))
    const [request] = asked
    expect(request?.url).toBe('https://gateway.test/hawser.updates.v1.UpdatesService/WatchAccount')
    expect(Object.fromEntries(request?.headers ?? [])).toMatchObject({
      'content-type': 'application/connect+json',
      'connect-protocol-version': '1',
      'hawser-project-id': projectId,
    })
    const bytes = new Uint8Array((await request?.arrayBuffer()) ?? new ArrayBuffer(0))
    expect(bytes).toEqual(sent({ address: ADDRESS, chainId: 'eip155:31337', currency: 'usd' }))
  })
})

describe('the changes', () => {
  const messages = [
    sent({ block: '7', balances: { balances: [ether] } }),
    sent({ block: '8', activity: {} }),
    sent({ block: '9', alive: {} }),
    sent({ identity: {} }),
    sent({ orders: { orderId: '01JD' } }),
    sent({ orders: {} }),
    wellEnded,
  ]
  const changes = [
    { kind: 'balances', block: 7n, balances: [{ ...ether, price: 0, iconUrl: '' }] },
    { kind: 'activity', block: 8n },
    { kind: 'alive', block: 9n },
    { kind: 'identity', block: 0n },
    { kind: 'orders', block: 0n, orderId: '01JD' },
    { kind: 'orders', block: 0n, orderId: '' },
  ]

  it('come in order, with the fields the wire leaves out', async () => {
    expect(await all(watch(streaming(messages).fetch))).toEqual(changes)
  })

  it.each([1, 2, 3, 7, 1000])('are the same when the network cuts them every %i bytes', async (size) => {
    const bytes = Uint8Array.from(messages.flatMap((message) => [...message]))
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.slice(index * size, (index + 1) * size),
    )
    expect(await all(watch(streaming(pieces).fetch))).toEqual(changes)
  })

  it('hold an account of nothing', async () => {
    const { fetch } = streaming([sent({ balances: {} }), wellEnded])
    expect(await all(watch(fetch))).toEqual([{ kind: 'balances', block: 0n, balances: [] }])
  })
})

describe('a stream that does not end well', () => {
  it('throws the code of the gateway', async () => {
    const error = { code: 'unavailable', message: 'no node answers' }
    const watched = all(watch(streaming([sent({ error }, END)]).fetch))
    await expect(watched).rejects.toBeInstanceOf(WatchError)
    await expect(watched).rejects.toMatchObject(error)
  })

  it.each([
    ['without saying so', []],
    ['inside a message', [sent({ block: '7', alive: {} }).slice(0, 9)]],
    ['in a compressed message', [sent({}, 1)]],
    ['in a message longer than any', [new Uint8Array([0, 255, 255, 255, 255])]],
    ['in what is no JSON', [new Uint8Array([0, 0, 0, 0, 1, 123])]],
  ])('is refused when it ends %s', async (_, pieces) => {
    await expect(all(watch(streaming(pieces).fetch))).rejects.toBeInstanceOf(InvalidResponseError)
  })

  it('is refused when the answer is a page of somebody else', async () => {
    const fetch = async () => new Response('<html>', { headers: { 'content-type': 'text/html' } })
    await expect(all(watch(fetch))).rejects.toBeInstanceOf(InvalidResponseError)
  })

  it('throws the status of a refusal', async () => {
    await expect(all(watch(streaming([], { status: 403 }).fetch))).rejects.toBeInstanceOf(HttpError)
  })

  it('tells when the gateway cannot be reached', async () => {
    const fetch = () => Promise.reject(new TypeError('Failed to fetch'))
    await expect(all(watch(fetch))).rejects.toBeInstanceOf(NetworkError)
  })
})

describe('leaving', () => {
  it('ends the request, with the reason of the caller', async () => {
    const { fetch } = streaming([sent({ alive: {} })], { close: false })
    const controller = new AbortController()
    const watched = watch(fetch, controller.signal)
    await watched.next()
    const next = watched.next()
    const reason = new Error('tab hidden')
    controller.abort(reason)
    await expect(next).rejects.toBe(reason)
  })

  it('by breaking out of the loop cancels the body', async () => {
    const { fetch, cancelled } = streaming([sent({ alive: {} })], { close: false })
    for await (const _ of watch(fetch)) break
    expect(cancelled).toHaveBeenCalledOnce()
  })
})

describe('silence', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('of 45 seconds means that the network is gone', async () => {
    const watched = watch(streaming([sent({ alive: {} })], { close: false }).fetch)
    await watched.next()
    const refused = expect(watched.next()).rejects.toBeInstanceOf(TimeoutError)
    await vi.advanceTimersByTimeAsync(45_000)
    await refused
    expect(vi.getTimerCount()).toBe(0)
  })
})
