import { create, toBinary } from '@bufbuild/protobuf'
import { base64Encode } from '@bufbuild/protobuf/wire'
import { createClient } from '@connectrpc/connect'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { GatewayError, InvalidResponseError, NetworkError, TimeoutError } from '../errors.ts'
import { ErrorInfoSchema } from '../gen/google/rpc/error_details_pb.ts'
import { BalancesService } from '../gen/hawser/balances/v1/balances_pb.ts'
import { ConvertService } from '../gen/hawser/convert/v1/convert_pb.ts'
import { UpdatesService, type WatchAccountResponse } from '../gen/hawser/updates/v1/updates_pb.ts'
import { createTransport, reload, type TransportOptions } from './transport.ts'

const projectId = '00000000000000000000000000000001'
const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const account = { address: ADDRESS, chainId: 'eip155:31337', currency: 'usd' }

const json = (body: unknown, status = 200, headers = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })

/** Clients of a gateway that gives one response, and the requests they made. */
function clientsOf(respond: () => Response | Promise<Response>, options: Partial<TransportOptions> = {}) {
  const requests: { url: URL; init: RequestInit; headers: Record<string, string> }[] = []
  const transport = createTransport({
    baseUrl: 'https://gateway.test/',
    projectId,
    fetch: async (input, init = {}) => {
      requests.push({
        url: new URL(String(input)),
        init,
        headers: Object.fromEntries(new Headers(init.headers)),
      })
      return respond()
    },
    ...options,
  })
  const balances = createClient(BalancesService, transport)
  return { balances, convert: createClient(ConvertService, transport), requests }
}

describe('a call without side effects', () => {
  it('is a GET without custom headers, so that it needs no preflight', async () => {
    const { balances, requests } = clientsOf(() => json({}))
    await balances.getBalance(account)
    const [request] = requests
    expect(request?.init.method).toBe('GET')
    expect(request?.headers).toEqual({})
    expect(request?.url.pathname).toBe('/hawser.balances.v1.BalancesService/GetBalance')
    expect(Object.fromEntries(request?.url.searchParams ?? [])).toEqual({
      connect: 'v1',
      encoding: 'json',
      message: JSON.stringify({ address: ADDRESS, currency: 'usd', chainId: 'eip155:31337' }),
      projectId,
      st: 'unknown',
      sv: 'unknown',
    })
  })

  it('names the SDK and its version', async () => {
    const { balances, requests } = clientsOf(() => json({}), { sdkType: 'site', sdkVersion: 'react-1.2.3' })
    await balances.getBalance(account)
    const { searchParams } = requests[0]?.url ?? new URL('about:blank')
    expect([searchParams.get('st'), searchParams.get('sv')]).toEqual(['site', 'react-1.2.3'])
  })

  it('bypasses the cache of the browser on demand', async () => {
    const { balances, requests } = clientsOf(() => json({}))
    await balances.getBalance(account, { headers: reload })
    expect(requests[0]).toMatchObject({ headers: {}, init: { cache: 'reload' } })
  })
})

it('a call that may change something is a POST that names the project in its URL', async () => {
  const { convert, requests } = clientsOf(() => json({}))
  await convert.buildTransaction({ projectId, amount: '1' })
  expect(requests[0]?.init.method).toBe('POST')
  expect(requests[0]?.url.search).toBe(`?projectId=${projectId}`)
})

describe('the trace of a call', () => {
  const random = /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/

  it('that may change something is named, each time another one', async () => {
    const { convert, requests } = clientsOf(() => json({}))
    await convert.buildTransaction({ projectId, amount: '1' })
    await convert.buildTransaction({ projectId, amount: '1' })
    const [first, second] = requests.map(({ headers: { traceparent } }) => traceparent)
    expect(first).toMatch(random)
    expect(second).toMatch(random)
    expect(first).not.toBe(second)
  })

  it('is the one that the caller names', async () => {
    const { convert, requests } = clientsOf(() => json({}))
    const own = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    await convert.buildTransaction({ projectId, amount: '1' }, { headers: { traceparent: own } })
    expect(requests[0]?.headers).toMatchObject({ traceparent: own })
  })
})

describe('a response', () => {
  it('is decoded with the fields that the wire omits', async () => {
    const onSuccess = vi.fn()
    const quantity = { decimals: '18', numeric: '1.000000000000000001' }
    const { balances } = clientsOf(() => json({ balances: [{ symbol: 'ETH', quantity }] }), { onSuccess })
    const [balance] = (await balances.getBalance(account)).balances
    expect(balance).toMatchObject({ symbol: 'ETH', name: '', price: 0, quantity })
    expect(balance?.address).toBeUndefined()
    expect(onSuccess).toHaveBeenCalledOnce()
  })

  it('has texts without hidden characters', async () => {
    const { balances } = clientsOf(() => json({ balances: [{ name: 'US\u202eD\u200b', symbol: '\u2066$' }] }))
    expect((await balances.getBalance(account)).balances[0]).toMatchObject({ name: 'USD', symbol: '$' })
  })
})

describe('a failure', () => {
  const details = (reason: string) => {
    const info = create(ErrorInfoSchema, { reason, domain: 'hawser' })
    return [{ type: 'google.rpc.ErrorInfo', value: base64Encode(toBinary(ErrorInfoSchema, info), 'std_raw') }]
  }

  it('has the code, the reason and the text of the gateway', async () => {
    const onFailure = vi.fn()
    const body = {
      code: 'invalid_argument',
      message: 'The chain is\u202e unknown',
      details: details('CHAIN_UNSUPPORTED'),
    }
    const { balances } = clientsOf(() => json(body, 400, { 'x-request-id': 'r-1' }), { onFailure })
    const failure = await balances.getBalance(account).catch((error) => error)
    expect(failure).toBeInstanceOf(GatewayError)
    expect(failure).toMatchObject({
      code: 'invalid_argument',
      reason: 'CHAIN_UNSUPPORTED',
      text: 'The chain is unknown',
      requestId: 'r-1',
    })
    expect(onFailure).toHaveBeenCalledExactlyOnceWith(failure)
  })

  it.each([
    ['without details', () => json({ code: 'unavailable', message: 'proxy says no' }, 503), 'unavailable'],
    ['of a proxy', () => new Response('<html>', { status: 502 }), 'unavailable'],
    ['of a proxy without a code', () => new Response('', { status: 500 }), 'unknown'],
  ])('%s has no text for people', async (_, respond, code) => {
    const { balances } = clientsOf(respond)
    await expect(balances.getBalance(account)).rejects.toMatchObject({
      name: 'GatewayError',
      code,
      reason: undefined,
      text: undefined,
    })
  })

  it('is another one when the gateway cannot be reached', async () => {
    const onFailure = vi.fn()
    const { balances } = clientsOf(() => Promise.reject(new TypeError('Failed to fetch')), { onFailure })
    await expect(balances.getBalance(account)).rejects.toBeInstanceOf(NetworkError)
    expect(onFailure).not.toHaveBeenCalled()
  })

  it('is InvalidResponseError when the response is not JSON', async () => {
    const { balances } = clientsOf(
      () => new Response('{', { headers: { 'content-type': 'application/json' } }),
    )
    await expect(balances.getBalance(account)).rejects.toBeInstanceOf(InvalidResponseError)
  })
})

// Streams.

const ether = { name: 'Ether', symbol: 'ETH', quantity: { decimals: '18', numeric: '1.000000000000000001' } }

/** Returns an envelope as the gateway sends it. */
function sent(message: unknown, flags = 0): Uint8Array<ArrayBuffer> {
  const body = new TextEncoder().encode(JSON.stringify(message))
  return new Uint8Array([flags, ...[24, 16, 8, 0].map((shift) => body.length >> shift), ...body])
}

const END = 2
const wellEnded = sent({}, END)

/** Returns a gateway whose stream consists of these pieces. */
function streaming(pieces: readonly Uint8Array<ArrayBuffer>[], { close = true, status = 200 } = {}) {
  const asked: Request[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    asked.push(new Request(input, { ...init, signal: null }))
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece)
        if (close) controller.close()
        init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason))
      },
    })
    return new Response(body, { status, headers: { 'content-type': 'application/connect+json' } })
  }
  return { asked, fetch }
}

function watch(fetch: typeof globalThis.fetch, signal = new AbortController().signal) {
  const transport = createTransport({ baseUrl: 'https://gateway.test/', projectId, fetch })
  const headers = { 'Hawser-Order-Tokens': 'a,b' }
  return createClient(UpdatesService, transport).watchAccount(account, { signal, headers })
}

async function all(messages: AsyncIterable<WatchAccountResponse>): Promise<WatchAccountResponse[]> {
  const list: WatchAccountResponse[] = []
  for await (const message of messages) list.push(message)
  return list
}

describe('a stream', () => {
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
    { block: 7n, change: { case: 'balances', value: { balances: [{ ...ether, price: 0, iconUrl: '' }] } } },
    { block: 8n, change: { case: 'activity' } },
    { block: 9n, change: { case: 'alive' } },
    { block: 0n, change: { case: 'identity' } },
    { block: 0n, change: { case: 'orders', value: { orderId: '01JD' } } },
    { block: 0n, change: { case: 'orders', value: { orderId: '' } } },
  ]

  it('is requested by POST, with the headers of the caller', async () => {
    const { asked, fetch } = streaming([wellEnded])
    await all(watch(fetch))
    const [request] = asked
    expect(request?.url).toBe(
      `https://gateway.test/hawser.updates.v1.UpdatesService/WatchAccount?projectId=${projectId}`,
    )
    expect(request?.headers.get('hawser-order-tokens')).toBe('a,b')
  })

  it('yields messages in order, with the fields that the wire omits', async () => {
    expect(await all(watch(streaming(messages).fetch))).toMatchObject(changes)
  })

  it.each([1, 2, 3, 7, 1000])('brings the same when the network cuts it every %i bytes', async (size) => {
    const bytes = Uint8Array.from(messages.flatMap((message) => [...message]))
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.slice(index * size, (index + 1) * size),
    )
    expect(await all(watch(streaming(pieces).fetch))).toMatchObject(changes)
  })
})

describe('a stream that does not end well', () => {
  it('throws the code of the gateway', async () => {
    const error = { code: 'unavailable', message: 'no node answers' }
    const watched = all(watch(streaming([sent({ error }, END)]).fetch))
    await expect(watched).rejects.toBeInstanceOf(GatewayError)
    await expect(watched).rejects.toMatchObject({ code: 'unavailable' })
  })

  it.each([
    ['without saying so', []],
    ['inside a message', [sent({ block: '7', alive: {} }).slice(0, 9)]],
    ['in a compressed message', [sent({}, 1)]],
    ['in text that is no JSON', [new Uint8Array([0, 0, 0, 0, 1, 123])]],
    ['in a message of another form', [sent({ block: [] })]],
  ])('throws when it ends %s', async (_, pieces) => {
    await expect(all(watch(streaming(pieces).fetch))).rejects.toBeInstanceOf(Error)
  })

  it('throws when the response is a page of another server', async () => {
    const fetch = async () => new Response('<html>', { headers: { 'content-type': 'text/html' } })
    await expect(all(watch(fetch))).rejects.toBeInstanceOf(GatewayError)
  })

  it('throws the code of a refusal', async () => {
    const refused = all(watch(streaming([], { status: 403 }).fetch))
    await expect(refused).rejects.toMatchObject({ code: 'permission_denied' })
  })

  it('throws NetworkError when the gateway cannot be reached', async () => {
    const fetch = () => Promise.reject(new TypeError('Failed to fetch'))
    await expect(all(watch(fetch))).rejects.toBeInstanceOf(NetworkError)
  })
})

it('leaving a stream ends the request, with the reason of the caller', async () => {
  const { fetch } = streaming([sent({ alive: {} })], { close: false })
  const controller = new AbortController()
  const watched = watch(fetch, controller.signal)[Symbol.asyncIterator]()
  await watched.next()
  const next = watched.next()
  const reason = new Error('tab hidden')
  controller.abort(reason)
  await expect(next).rejects.toBe(reason)
})

describe('time', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('of a stream is up after 45 seconds of silence', async () => {
    const watched = watch(streaming([sent({ alive: {} })], { close: false }).fetch)[Symbol.asyncIterator]()
    await watched.next()
    const refused = expect(watched.next()).rejects.toBeInstanceOf(TimeoutError)
    await vi.advanceTimersByTimeAsync(45_000)
    await refused
    expect(vi.getTimerCount()).toBe(0)
  })

  it('of a call is up after its deadline', async () => {
    const silent: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      })
    const { balances } = clientsOf(() => json({}), { fetch: silent })
    const refused = expect(balances.getBalance(account)).rejects.toBeInstanceOf(TimeoutError)
    await vi.advanceTimersByTimeAsync(10_000)
    await refused
    expect(vi.getTimerCount()).toBe(0)
  })
})
