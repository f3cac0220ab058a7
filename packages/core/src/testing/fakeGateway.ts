import type { NftHoldings } from '@hawser/client'
import type { TokenBalance } from '../types/account.ts'
import type { ActivityPage } from '../types/activity.ts'
import { answerConversion, createFakeConversions, type FakeConversions, Refusal } from './fakeConversions.ts'
import { answerNames, createFakeNames, type FakeNames, isNamesPath, NameRefusal } from './fakeNames.ts'
import { answerOnramp, createFakeOnramp, type FakeOnramp, OnrampRefusal } from './fakeOnramp.ts'
import { DOLLAR_ADDRESS } from './tokens.ts'

export interface RpcCall {
  readonly chainId: string
  readonly method: string
  readonly params: readonly unknown[]
}

/** A gateway in memory, behind `fetch`. */
export interface FakeGateway {
  readonly fetch: typeof fetch
  /** Every request as `METHOD /path?query`. */
  readonly requests: string[]
  /** The header fields of every request, in the same order. */
  readonly headers: Headers[]
  readonly rpcCalls: RpcCall[]
  served: string[]
  balances: readonly TokenBalance[]
  /** Answers each question for a page of the history, by its cursor. */
  history: (cursor: string | null) => ActivityPage | Promise<ActivityPage>
  nfts: () => NftHoldings | Promise<NftHoldings>
  readonly conversions: FakeConversions
  readonly names: FakeNames
  readonly onramp: FakeOnramp
  /** Answers the question for pushed quotes; by default as a gateway that has none. */
  watchQuote: (signal: AbortSignal) => ReadableStream<Uint8Array>
  /** US dollars per token by CAIP-10. */
  prices: Readonly<Record<string, number>>
  /** Answers the question for the stream of changes; by default as a gateway that has none. */
  watch: (signal: AbortSignal) => ReadableStream<Uint8Array>
  /** Status of every answer from now on. */
  status: number
  /** Answers of the node by method; a thrown error becomes a JSON-RPC error. */
  readonly node: Record<string, (params: readonly unknown[], chainId: string) => unknown>
}

export const ETHER: TokenBalance = {
  name: 'Ether',
  symbol: 'ETH',
  chainId: 'eip155:31337',
  value: 2_000,
  price: 2_000,
  quantity: { decimals: '18', numeric: '1.000000000000000000' },
  iconUrl: '',
}

export { DOLLAR_ADDRESS }

export const DOLLAR: TokenBalance = {
  name: 'Test USD',
  symbol: 'tUSD',
  chainId: 'eip155:31337',
  address: `eip155:31337:${DOLLAR_ADDRESS}`,
  value: 12.5,
  price: 1,
  quantity: { decimals: '6', numeric: '12.500000' },
  iconUrl: '',
}

export const GWEI = 1_000_000_000n

export function createFakeGateway(): FakeGateway {
  const gateway: FakeGateway = {
    requests: [],
    headers: [],
    rpcCalls: [],
    served: ['eip155:31337', 'eip155:31338'],
    balances: [ETHER, DOLLAR],
    status: 200,
    history: () => ({ data: [], next: null }),
    nfts: () => ({ collections: [], backfilling: false }),
    watch: () => openStream().end({ code: 'unimplemented' }).body,
    conversions: createFakeConversions(),
    names: createFakeNames(),
    onramp: createFakeOnramp(),
    watchQuote: () => openStream().end({ code: 'unimplemented' }).body,
    prices: {},
    node: {
      eth_getBalance: () => `0x${(10n ** 18n).toString(16)}`,
      eth_gasPrice: () => `0x${GWEI.toString(16)}`,
      eth_estimateGas: () => '0x5208',
      eth_call: () => '0x',
      eth_getTransactionReceipt: () => ({ status: '0x1' }),
    },
    fetch: async (input, init) => {
      const url = new URL(String(input))
      gateway.requests.push(`${init?.method ?? 'GET'} ${url.pathname}${url.search}`)
      gateway.headers.push(new Headers(init?.headers))
      init?.signal?.throwIfAborted()
      if (gateway.status !== 200) return json(gateway.status, { status: 'FAILED', reasons: [] })
      if (url.pathname === '/v1/supported-chains') return json(200, { http: gateway.served, ws: [] })
      if (url.pathname.endsWith('/WatchAccount')) {
        const body = gateway.watch(init?.signal as AbortSignal)
        return new Response(body, { headers: { 'content-type': 'application/connect+json' } })
      }
      if (url.pathname.endsWith('/WatchQuote')) {
        const body = gateway.watchQuote(init?.signal as AbortSignal)
        return new Response(body, { headers: { 'content-type': 'application/connect+json' } })
      }
      if (url.pathname.startsWith('/v1/convert/')) return answerSwap(gateway, url, init)
      if (url.pathname.startsWith('/v1/onramp/')) return answerPurchase(gateway, url, init)
      if (isNamesPath(url.pathname)) return answerName(gateway, url, init)
      if (url.pathname === '/v1/fungible/price') return json(200, pricesOf(gateway, init))
      if (url.pathname.endsWith('/balance')) return json(200, { balances: await gateway.balances })
      if (url.pathname.endsWith('/history')) {
        return json(200, await gateway.history(url.searchParams.get('cursor')))
      }
      if (url.pathname.endsWith('/nfts')) return json(200, await gateway.nfts())
      return json(200, await askNode(gateway, url, JSON.parse(String(init?.body))))
    },
  }
  return gateway
}

/** The gateway's end of a stream of changes. */
export interface FakeStream {
  readonly body: ReadableStream<Uint8Array>
  send(message: unknown): FakeStream
  /** Ends it, well or with an error of the Connect protocol. */
  end(error?: { code: string }): FakeStream
  /** Cuts the line. */
  cut(): void
}

export function openStream(signal?: AbortSignal): FakeStream {
  let controller: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({
    start(own) {
      controller = own
    },
  })
  const write = (message: unknown, flags: number) => {
    const text = new TextEncoder().encode(JSON.stringify(message))
    const length = [24, 16, 8, 0].map((shift) => text.length >> shift)
    controller.enqueue(new Uint8Array([flags, ...length, ...text]))
  }
  signal?.addEventListener('abort', () => controller.error(signal.reason))
  const stream: FakeStream = {
    body,
    send(message) {
      write(message, 0)
      return stream
    },
    end(error) {
      write(error ? { error } : {}, 2)
      controller.close()
      return stream
    },
    cut: () => controller.error(new TypeError('network error')),
  }
  return stream
}

async function answerSwap(gateway: FakeGateway, url: URL, init: RequestInit | undefined): Promise<Response> {
  try {
    const body = init?.body ? JSON.parse(String(init.body)) : undefined
    const answer = await answerConversion(gateway.conversions, url, body)
    // A browser does not hear an answer that it gave up on.
    init?.signal?.throwIfAborted()
    return json(200, answer)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const reasons = [{ field: '', description: error.code }]
    return json(error.status, { status: 'FAILED', code: error.code, reasons })
  }
}

async function answerName(gateway: FakeGateway, url: URL, init: RequestInit | undefined): Promise<Response> {
  try {
    const body = init?.body ? JSON.parse(String(init.body)) : undefined
    const answer = await answerNames(gateway.names, url, body)
    init?.signal?.throwIfAborted()
    return json(200, answer)
  } catch (error) {
    if (!(error instanceof NameRefusal)) throw error
    const { status, code, message } = error
    return json(status, { status: 'FAILED', code, reasons: [{ field: 'name', description: message }] })
  }
}

async function answerPurchase(
  gateway: FakeGateway,
  url: URL,
  init: RequestInit | undefined,
): Promise<Response> {
  try {
    const body = init?.body ? JSON.parse(String(init.body)) : undefined
    const answer = await answerOnramp(gateway.onramp, url, body)
    init?.signal?.throwIfAborted()
    return json(200, answer)
  } catch (error) {
    if (!(error instanceof OnrampRefusal)) throw error
    const { status, code, message } = error
    return json(status, { status: 'FAILED', code, reasons: [{ field: '', description: message }] })
  }
}

function pricesOf({ prices }: FakeGateway, init: RequestInit | undefined) {
  const { addresses } = JSON.parse(String(init?.body)) as { addresses: readonly string[] }
  const known = addresses.filter((address) => prices[address] !== undefined)
  return { fungibles: known.map((address) => ({ address, price: prices[address] })) }
}

async function askNode(
  gateway: FakeGateway,
  url: URL,
  call: { id: number; method: string; params: unknown[] },
) {
  const chainId = url.searchParams.get('chainId') ?? ''
  gateway.rpcCalls.push({ chainId, method: call.method, params: call.params })
  try {
    const result = await gateway.node[call.method]?.(call.params, chainId)
    if (call.method === 'eth_getTransactionReceipt' && result) {
      // A node names the transaction that it was asked for.
      return {
        jsonrpc: '2.0',
        id: call.id,
        result: { transactionHash: call.params[0], ...(result as object) },
      }
    }
    return { jsonrpc: '2.0', id: call.id, result }
  } catch (error) {
    return { jsonrpc: '2.0', id: call.id, error: { code: 3, message: (error as Error).message } }
  }
}

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
}
