import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { GatewayError, InvalidResponseError, NetworkError, RpcError, TimeoutError } from './errors.ts'
import { createGateway } from './gateway.ts'

const projectId = '00000000000000000000000000000001'

type Reply = Response | (() => Promise<Response>)

/** Returns a client of a gateway that gives one reply, and the requests that it made. */
function clientOf(reply: Reply, baseUrl = 'https://gateway.test') {
  const requests: { url: URL; init: RequestInit | undefined }[] = []
  const client = createGateway({
    baseUrl,
    projectId,
    fetch: async (input, init) => {
      requests.push({ url: new URL(String(input)), init })
      return typeof reply === 'function' ? reply() : reply
    },
  })
  return { client, requests }
}

const json = (body: unknown, status = 200, headers = {}) =>
  new Response(JSON.stringify(body), { status, headers })

describe('NFTs', () => {
  it('have pictures that the gateway fetches, so that the page contacts no other host', () => {
    const { client } = clientOf(json({}))
    expect(client.nftMediaUrl('a/b?c')).toBe(
      `https://gateway.test/v1/nft-media/a%2Fb%3Fc?projectId=${projectId}`,
    )
  })
})

describe('icons', () => {
  it.each([
    [
      'http://10.0.0.7:8080/v1/assets/tokens/eip155:1/native.svg',
      'https://gateway.test/v1/assets/tokens/eip155:1/native.svg',
    ],
    ['/v1/assets/wallets/metamask.svg', 'https://gateway.test/v1/assets/wallets/metamask.svg'],
    ['https://icons.test/usd.png', 'https://icons.test/usd.png'],
    ['https://icons.test/v2/v1/assets/usd.png', 'https://icons.test/v2/v1/assets/usd.png'],
    ['data:image/png;base64,AA==', 'data:image/png;base64,AA=='],
    ['', undefined],
  ])('named %j are loaded from %j', (named, loaded) => {
    expect(clientOf(json({})).client.iconUrl(named)).toBe(loaded)
  })

  it('of networks, tokens and sellers are the gateway’s', () => {
    const { client } = clientOf(json({}), 'https://gateway.test/')
    expect(client.networkMarkUrl('eip155:1')).toBe('https://gateway.test/v1/assets/networks/eip155:1.svg')
    expect(client.tokenMarkUrl('eip155:1', '0xAB')).toBe(
      'https://gateway.test/v1/assets/tokens/eip155:1/0xab.svg',
    )
    expect(client.sellerMarkUrl('BEACON-PAY')).toBe('https://gateway.test/v1/assets/sellers/beacon-pay.svg')
  })
})

describe('the JSON-RPC endpoint', () => {
  it('has the trailing slash that AppKit uses', () => {
    const { client } = clientOf(json({}))
    expect(client.rpcUrl('eip155:1')).toBe(
      `https://gateway.test/v1/?chainId=eip155%3A1&projectId=${projectId}`,
    )
  })

  it('returns the result, null included', async () => {
    const { client, requests } = clientOf(() =>
      Promise.resolve(json({ jsonrpc: '2.0', id: 1, result: null })),
    )
    expect(await client.rpc('eip155:1', 'eth_getTransactionReceipt', ['0x1'])).toBeNull()
    await client.rpc('eip155:1', 'eth_chainId', [])
    const bodies = requests.map(({ init }) => JSON.parse(String(init?.body)))
    expect(bodies).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: ['0x1'] },
      { jsonrpc: '2.0', id: 2, method: 'eth_chainId', params: [] },
    ])
  })

  it('keeps every digit of an integer', async () => {
    const { client } = clientOf(() =>
      Promise.resolve(new Response('{"jsonrpc":"2.0","id":1,"result":{"value":9007199254740993}}')),
    )
    expect(await client.rpc('solana:1', 'getBalance', [])).toEqual({ value: '9007199254740993' })
  })

  it.each([200, 400])("throws the node's own error under status %i", async (status) => {
    const error = { code: 3, message: 'execution reverted', data: '0x08c379a0' }
    const { client } = clientOf(json({ jsonrpc: '2.0', id: 1, error }, status))
    const asked = client.rpc('eip155:1', 'eth_call', [])
    await expect(asked).rejects.toBeInstanceOf(RpcError)
    await expect(asked).rejects.toMatchObject(error)
  })

  it.each([[{}], [null], ['text'], [{ jsonrpc: '2.0', id: 1, error: null }]])(
    'throws when the answer is %j',
    async (body) => {
      const { client } = clientOf(json(body))
      await expect(client.rpc('eip155:1', 'eth_call', [])).rejects.toBeInstanceOf(InvalidResponseError)
    },
  )
})

describe('a refusal', () => {
  it('is read from the body of the gateway', async () => {
    const reasons = [{ field: 'chainId', description: 'unsupported chain' }]
    const { client } = clientOf(
      json({ status: 'FAILED', reasons, code: 'CHAIN_UNSUPPORTED', requestId: 'r-1' }, 400),
    )
    const asked = client.rpc('eip155:1', 'eth_chainId', [])
    await expect(asked).rejects.toBeInstanceOf(GatewayError)
    await expect(asked).rejects.toMatchObject({
      code: 'invalid_argument',
      reason: 'CHAIN_UNSUPPORTED',
      message: 'unsupported chain',
      text: 'unsupported chain',
      requestId: 'r-1',
    })
  })

  it.each(['Internal server error', '<html>', '{"reasons":"none"}', '{"reasons":[{"field":1}]}', 'null', ''])(
    'with the body %j gets its code from its status',
    async (body) => {
      const headers = { 'x-request-id': 'r-2' }
      const { client } = clientOf(new Response(body, { status: 500, headers }))
      await expect(client.rpc('eip155:1', 'eth_chainId', [])).rejects.toMatchObject({
        code: 'unknown',
        reason: undefined,
        text: undefined,
        requestId: 'r-2',
      })
    },
  )
})

describe('a malformed answer', () => {
  it.each(['', '<html>'])('is refused under status 200: %j', async (body) => {
    const { client } = clientOf(new Response(body))
    await expect(client.rpc('eip155:1', 'eth_chainId', [])).rejects.toBeInstanceOf(InvalidResponseError)
  })

  it('throws NetworkError, not a refusal, when the gateway cannot be reached', async () => {
    const { client } = clientOf(() => Promise.reject(new TypeError('Failed to fetch')))
    await expect(client.rpc('eip155:1', 'eth_chainId', [])).rejects.toBeInstanceOf(NetworkError)
  })
})

describe('time', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })

  afterEach(() => {
    vi.useRealTimers()
  })

  /** A gateway that accepts a request and never responds. */
  const silent: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
    })

  const silentClient = () =>
    createGateway({ baseUrl: 'https://gateway.test', projectId, fetch: silent, timeoutMs: 10_000 })

  it('is up after the deadline', async () => {
    const asked = silentClient().rpc('eip155:1', 'eth_chainId', [])
    const refused = expect(asked).rejects.toBeInstanceOf(TimeoutError)
    await vi.advanceTimersByTimeAsync(10_000)
    await refused
  })

  it('ends as soon as the caller aborts, with the reason of the caller', async () => {
    const controller = new AbortController()
    const asked = silentClient().rpc('eip155:1', 'eth_chainId', [], controller.signal)
    const reason = new Error('view closed')
    controller.abort(reason)
    await expect(asked).rejects.toBe(reason)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('leaves no timer behind after a response', async () => {
    const { client } = clientOf(json({ jsonrpc: '2.0', id: 1, result: '0x1' }))
    await client.rpc('eip155:1', 'eth_chainId', [])
    expect(vi.getTimerCount()).toBe(0)
  })
})
