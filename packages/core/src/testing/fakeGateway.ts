import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect'
import { codeFromString } from '@connectrpc/connect/protocol-connect'
import type { MessageData } from '@hawser/client'
import { AccessService, type ListApprovalsResponseJson } from '@hawser/client/access'
import { ActivityService } from '@hawser/client/activity'
import { BalancesService } from '@hawser/client/balances'
import type { WatchQuoteResponseJson } from '@hawser/client/convert'
import { FeaturesService, type GetFeaturesResponseJson } from '@hawser/client/features'
import { type ListNftsResponse, NftsService } from '@hawser/client/nfts'
import { PreviewService, type SimulateRequestJson, type SimulateResponseJson } from '@hawser/client/preview'
import { UpdatesService, type WatchAccountResponseJson } from '@hawser/client/updates'
import type { TokenBalance } from '../types/account.ts'
import type { ActivityTransaction } from '../types/activity.ts'
import { routerFetch, serve, serveData, serveStream } from './connectRouter.ts'
import { createFakeConversions, type FakeConversions, routeConversions } from './fakeConversions.ts'
import { createFakeNames, type FakeNames, routeNames } from './fakeNames.ts'
import { createFakeOnramp, type FakeOnramp, routeOnramp } from './fakeOnramp.ts'
import { createFakeSessions, type FakeSessions, respondWithSessions } from './fakeSessions.ts'
import { DOLLAR_ADDRESS } from './tokens.ts'

/** The NFTs of an account, as the gateway sends them. */
type Holdings = Partial<MessageData<ListNftsResponse>>

/** One page of a history, as the gateway sends it. */
export interface HistoryPage {
  readonly data: readonly ActivityTransaction[]
  readonly next?: string | null
  readonly coverage?: {
    readonly backfilling: boolean
    readonly fromBlock: Readonly<Record<string, string>>
    readonly nativeFromBlock: Readonly<Record<string, string>>
  }
}

interface RpcCall {
  readonly chainId: string
  readonly method: string
  readonly params: readonly unknown[]
}

/** A gateway in memory, behind `fetch`. */
export interface FakeGateway {
  readonly fetch: typeof fetch
  /** Every request as `METHOD /path`, then its message as JSON or its query. */
  readonly requests: string[]
  /** The header fields of every request, in the same order. */
  readonly headers: Headers[]
  readonly rpcCalls: RpcCall[]
  served: string[]
  /** Members of the answer about features beside the chains. */
  features: GetFeaturesResponseJson
  balances: readonly TokenBalance[]
  /** Whether the account holds more tokens than `balances`. */
  hasMoreBalances: boolean
  /** Answers each request for a page of the history, by its cursor. */
  history: (cursor: string | null) => HistoryPage | Promise<HistoryPage>
  nfts: () => Holdings | Promise<Holdings>
  /** Answers each request for the approvals of the account. */
  approvals: () => ListApprovalsResponseJson | Promise<ListApprovalsResponseJson>
  readonly conversions: FakeConversions
  readonly names: FakeNames
  readonly onramp: FakeOnramp
  readonly sessions: FakeSessions
  /** Answers what a request to sign would do; by default that it succeeds. */
  simulate: (request: SimulateRequestJson) => SimulateResponseJson | Promise<SimulateResponseJson>
  /** Answers the request for pushed quotes; by default as a gateway that has none. */
  watchQuote: (signal: AbortSignal) => AsyncIterable<WatchQuoteResponseJson>
  /** US dollars per token by CAIP-10. */
  prices: Readonly<Record<string, number>>
  /** Answers the request for the stream of changes; by default as a gateway that has none. */
  watch: (signal: AbortSignal) => AsyncIterable<WatchAccountResponseJson>
  /** The wallet directory, as `GET /getWallets` lists it. */
  wallets: readonly FakeDirectoryEntry[]
  /** The bodies of `POST /v1/events`. */
  readonly counted: { readonly events: readonly { readonly event: string }[] }[]
  /** The bodies of `POST /v1/webhooks/transactions`. */
  readonly followed: { readonly chainId: string; readonly hash: string }[]
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
    features: { swapChains: { chainIds: ['eip155:31337'] } },
    balances: [ETHER, DOLLAR],
    hasMoreBalances: false,
    status: 200,
    history: () => ({ data: [], next: null }),
    nfts: () => ({}),
    approvals: () => ({}),
    watch: () => openStream().end({ code: 'unimplemented' }).body,
    conversions: createFakeConversions(),
    names: createFakeNames(),
    onramp: createFakeOnramp(),
    sessions: createFakeSessions(),
    simulate: () => ({ outcome: 'OUTCOME_SUCCEEDS' }),
    watchQuote: () => openStream().end({ code: 'unimplemented' }).body,
    prices: {},
    wallets: [],
    counted: [],
    followed: [],
    node: {
      eth_getBalance: () => `0x${(10n ** 18n).toString(16)}`,
      eth_gasPrice: () => `0x${GWEI.toString(16)}`,
      eth_estimateGas: () => '0x5208',
      eth_call: () => '0x',
      eth_getTransactionReceipt: () => ({ status: '0x1' }),
    },
    fetch: async (input, init) => {
      const url = new URL(String(input))
      gateway.requests.push(requestText(url, init))
      gateway.headers.push(new Headers(init?.headers))
      init?.signal?.throwIfAborted()
      if (gateway.status !== 200) return failure(gateway.status, url)
      if (url.pathname === '/v1/events') {
        gateway.counted.push(JSON.parse(String(init?.body)))
        return json(200, {})
      }
      if (url.pathname === '/v1/webhooks/transactions') {
        gateway.followed.push(JSON.parse(String(init?.body)))
        return json(200, {})
      }
      if (url.pathname === '/getWallets') return json(200, walletPage(gateway, url.searchParams))
      return respondWithSessions(gateway.sessions, url, init) ?? route(url, init)
    },
  }
  const route = routerFetch(
    (router) => routes(router, gateway),
    async (url, init) => json(200, await answerFromNode(gateway, url, JSON.parse(String(init?.body)))),
  )
  return gateway
}

function routes(router: ConnectRouter, gateway: FakeGateway): void {
  serve(router, FeaturesService.method.getFeatures, () => ({
    chains: { chainIds: gateway.served },
    ...gateway.features,
  }))
  serveData(router, BalancesService.method.getBalance, async () => ({
    balances: await gateway.balances,
    ...(gateway.hasMoreBalances && { more: true }),
  }))
  serve(router, BalancesService.method.listPrices, ({ addresses = [] }) => pricesOf(gateway, addresses))
  serveData(router, ActivityService.method.getHistory, async ({ cursor }) => {
    const { data, next, coverage } = await gateway.history(cursor ?? null)
    return { data, ...(next && { next }), ...(coverage && { coverage }) }
  })
  serve(router, PreviewService.method.simulate, (request) => gateway.simulate(request))
  serve(router, AccessService.method.listApprovals, () => gateway.approvals())
  serveData(router, NftsService.method.listNfts, () => gateway.nfts())
  serveStream(router, UpdatesService.method.watchAccount, (signal) => gateway.watch(signal))
  routeConversions(router, gateway.conversions, (signal) => gateway.watchQuote(signal))
  routeNames(router, gateway.names)
  routeOnramp(router, gateway.onramp)
}

/** An entry of the wallet directory: an id, a name and what a test needs of the rest. */
export interface FakeDirectoryEntry extends Readonly<Record<string, unknown>> {
  readonly id: string
  readonly name: string
  readonly relays?: readonly string[]
}

function walletPage({ wallets }: FakeGateway, query: URLSearchParams) {
  const list = (name: string) => query.get(name)?.split(',') ?? []
  const matching = wallets.filter(
    ({ id, name, badge_type: badge, relays = [], browser_link: link, browser_scheme: scheme }) =>
      (!query.has('include') || list('include').includes(id)) &&
      !list('exclude').includes(id) &&
      (!query.has('reach') ||
        list('reach').some((way) => [...relays, link && 'browser', scheme && 'scheme'].includes(way))) &&
      name.toLowerCase().includes(query.get('search')?.toLowerCase() ?? '') &&
      (!query.has('badge_type') || badge === query.get('badge_type')),
  )
  const [page, entries] = [Number(query.get('page')), Number(query.get('entries'))]
  return { count: matching.length, data: matching.slice((page - 1) * entries, page * entries) }
}

function requestText({ pathname, search, searchParams }: URL, init: RequestInit | undefined): string {
  const message = searchParams.get('message') ?? (typeof init?.body === 'string' ? init.body : '')
  const isCall = pathname.startsWith('/hawser.')
  return `${init?.method ?? 'GET'} ${pathname}${isCall ? ` ${message}` : search}`
}

/** Returns a failure, which is the same for every call. */
function failure(status: number, { pathname }: URL): Response {
  if (!pathname.startsWith('/hawser.')) return json(status, { status: 'FAILED', reasons: [] })
  return json(status, { code: codes[status] ?? 'unknown' })
}

const codes: Readonly<Record<number, string>> = {
  401: 'unauthenticated',
  403: 'permission_denied',
  501: 'unimplemented',
  503: 'unavailable',
}

/** The gateway's end of a stream. */
export interface FakeStream<Message = WatchAccountResponseJson> {
  readonly body: AsyncIterable<Message>
  send(message: Message): FakeStream<Message>
  /** Ends it, well or with an error of the Connect protocol. */
  end(error?: { code: string }): FakeStream<Message>
  /** Breaks the connection. */
  cut(): void
}

export function openStream<Message = WatchAccountResponseJson>(signal?: AbortSignal): FakeStream<Message> {
  let controller: ReadableStreamDefaultController<Message>
  const body = new ReadableStream<Message>({
    start(own) {
      controller = own
    },
  })
  signal?.addEventListener('abort', () => controller.error(signal.reason))
  const stream: FakeStream<Message> = {
    body: body as unknown as AsyncIterable<Message>,
    send(message) {
      controller.enqueue(message)
      return stream
    },
    end(error) {
      if (error) controller.error(new ConnectError('', codeFromString(error.code) ?? Code.Unknown))
      else controller.close()
      return stream
    },
    cut: () => controller.error(new TypeError('network error')),
  }
  return stream
}

function pricesOf({ prices }: FakeGateway, addresses: readonly string[]) {
  const known = addresses.filter((address) => prices[address] !== undefined)
  return { fungibles: known.map((address) => ({ address, price: prices[address] as number })) }
}

async function answerFromNode(
  gateway: FakeGateway,
  url: URL,
  call: { id: number; method: string; params: unknown[] },
) {
  const chainId = url.searchParams.get('chainId') ?? ''
  gateway.rpcCalls.push({ chainId, method: call.method, params: call.params })
  try {
    const result = await gateway.node[call.method]?.(call.params, chainId)
    if (call.method === 'eth_getTransactionReceipt' && result) {
      // A node repeats the hash of the request.
      return {
        jsonrpc: '2.0',
        id: call.id,
        result: { transactionHash: call.params[0], ...(result as object) },
      }
    }
    return { jsonrpc: '2.0', id: call.id, result }
  } catch (error) {
    const { code = 3, message } = error as { code?: number; message: string }
    return { jsonrpc: '2.0', id: call.id, error: { code, message } }
  }
}

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
}
