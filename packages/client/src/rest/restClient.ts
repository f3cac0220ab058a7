import { type Ask, createAsk } from './ask.ts'
import { InvalidResponseError, rpcErrorFrom } from './errors.ts'
import type { Balance, Fungible, History, NftHoldings, SupportedChains } from './responses.ts'

export interface RestClientOptions {
  /** Origin of the gateway, with or without a trailing slash. */
  readonly baseUrl: string
  /** 32 hex digits. */
  readonly projectId: string
  /** Sent as `st` with every GET. */
  readonly sdkType?: string
  /**
   * Sent as `sv` with every GET; `react-core-` and the version by default. A wallet directory takes the prefix `html-core-`
   * for a page without adapters, and leaves out wallets that need one.
   */
  readonly sdkVersion?: string
  readonly fetch?: typeof fetch
  /** Deadline of every call in milliseconds. */
  readonly timeoutMs?: number
}

export interface BalanceQuestion {
  /** Plain address, without the CAIP prefix. */
  readonly address: string
  /** CAIP-2; every chain the gateway knows when absent. */
  readonly chainId?: string
  readonly currency: 'usd'
  /** CAIP-10 tokens to read from the chain whatever the cache says. */
  readonly forceUpdate?: readonly string[]
  readonly signal?: AbortSignal
}

export interface PriceQuestion {
  /** CAIP-10 tokens; the native token is `eip155:<chain>:0xeeee…eeee`. */
  readonly addresses: readonly string[]
  readonly signal?: AbortSignal
}

export interface HistoryQuestion {
  /** Plain address, without the CAIP prefix. */
  readonly address: string
  /** CAIP-2. */
  readonly chainId?: string
  /** `next` of the page before. */
  readonly cursor?: string
  /** Asks for spam too, marked as such; otherwise it is left out. */
  readonly includeSpam?: boolean
  readonly signal?: AbortSignal
}

export interface NftQuestion {
  /** Plain address, without the CAIP prefix. */
  readonly address: string
  /** CAIP-2. */
  readonly chainId: string
  readonly signal?: AbortSignal
}

/** Parameters that are falsy are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** The gateway's REST calls. Every method may throw the errors of `errors.ts`. */
export interface RestClient {
  /** Asks any path of the gateway, with what every GET carries; `cache: 'reload'` asks past what the browser keeps. */
  get<T>(
    path: string,
    query: Query,
    signal?: AbortSignal,
    cache?: RequestCache,
    headers?: Readonly<Record<string, string>>,
  ): Promise<T>
  /** Posts JSON to any path of the gateway; the project's id goes in the body. */
  post<T>(path: string, body: object, signal?: AbortSignal): Promise<T>
  supportedChains(signal?: AbortSignal): Promise<SupportedChains>
  balance(question: BalanceQuestion): Promise<{ balances: readonly Balance[] }>
  /** Prices in US dollars; tokens without a known price are left out. */
  price(question: PriceQuestion): Promise<{ fungibles: readonly Fungible[] }>
  /** One page of an account's transactions, newest first. */
  history(question: HistoryQuestion): Promise<History>
  /** The ERC-721 and ERC-1155 tokens an account owns. */
  nfts(question: NftQuestion): Promise<NftHoldings>
  /** Address of a picture that the gateway fetches on the page's behalf. */
  nftMediaUrl(mediaId: string): string
  /**
   * Address from which a page loads an icon that the gateway named; undefined for an empty one. Marks that the gateway serves are
   * asked at the address that the page uses: behind a proxy the gateway may know another one.
   */
  iconUrl(named: string): string | undefined
  /** Address of the mark of a network, by its CAIP-2 id; the gateway answers 404 where it has none. */
  networkMarkUrl(chainId: string): string
  /** Address of the mark of a token; `address` is 0x and 40 hex digits, or `native`. 404 where the gateway has none. */
  tokenMarkUrl(chainId: string, address: string): string
  /** Address of the mark of a seller of tokens, by its name for calls; 404 where the gateway has none. */
  sellerMarkUrl(name: string): string
  /** The JSON-RPC door of a chain, by its CAIP-2 id. */
  rpcUrl(chainId: string): string
  /** @throws RpcError when the node answers with an error. */
  rpc(chainId: string, method: string, params: readonly unknown[], signal?: AbortSignal): Promise<unknown>
}

/** Creates a client of one gateway for one project. It keeps no state but the ids of its JSON-RPC calls. */
export function createRestClient({
  baseUrl,
  projectId,
  sdkType = 'hawser',
  sdkVersion = 'react-core-0.1.0',
  fetch: fetchImpl = (...args) => globalThis.fetch(...args),
  timeoutMs = 10_000,
}: RestClientOptions): RestClient {
  const origin = baseUrl.replace(/\/+$/, '')
  const ask = createAsk(fetchImpl, timeoutMs)
  let lastRpcId = 0

  const rpcUrl = (chainId: string) => `${origin}/v1/${queryString({ chainId, projectId })}`

  function get<T>(
    path: string,
    query: Query,
    signal?: AbortSignal,
    cache?: RequestCache,
    headers?: Readonly<Record<string, string>>,
  ): Promise<T> {
    const url = `${origin}${path}${queryString({ ...query, st: sdkType, sv: sdkVersion, projectId })}`
    return ask({ url, signal, cache, headers }) as Promise<T>
  }

  function post<T>(path: string, body: object, signal?: AbortSignal): Promise<T> {
    return ask({ url: origin + path, body: { projectId, ...body }, signal }) as Promise<T>
  }

  return {
    get,
    post,
    rpcUrl,
    supportedChains: (signal) => get('/v1/supported-chains', {}, signal),
    balance: ({ address, chainId, currency, forceUpdate, signal }) =>
      get(
        `/v1/account/${encodeURIComponent(address)}/balance`,
        { currency, chainId, forceUpdate: forceUpdate?.join(',') },
        signal,
      ),
    price: ({ addresses, signal }) => post('/v1/fungible/price', { currency: 'usd', addresses }, signal),
    history: ({ address, chainId, cursor, includeSpam, signal }) =>
      get(`/v1/account/${encodeURIComponent(address)}/history`, { chainId, cursor, includeSpam }, signal),
    nfts: ({ address, chainId, signal }) =>
      get(`/v1/account/${encodeURIComponent(address)}/nfts`, { chainId }, signal),
    nftMediaUrl: (mediaId) =>
      `${origin}/v1/nft-media/${encodeURIComponent(mediaId)}${queryString({ projectId })}`,
    iconUrl: (named) => named.replace(/^https?:\/\/[^/]+(?=\/v1\/assets\/)/, origin) || undefined,
    networkMarkUrl: (chainId) => `${origin}/v1/assets/networks/${chainId}.svg`,
    tokenMarkUrl: (chainId, address) => `${origin}/v1/assets/tokens/${chainId}/${address.toLowerCase()}.svg`,
    sellerMarkUrl: (name) => `${origin}/v1/assets/sellers/${encodeURIComponent(name.toLowerCase())}.svg`,
    rpc: (chainId, method, params, signal) => {
      lastRpcId += 1
      return askNode(ask, rpcUrl(chainId), { jsonrpc: '2.0', id: lastRpcId, method, params }, signal)
    },
  }
}

async function askNode(ask: Ask, url: string, body: object, signal?: AbortSignal): Promise<unknown> {
  const answer = await ask({ url, body, signal })
  if (typeof answer !== 'object' || answer === null) throw new InvalidResponseError()
  const error = 'error' in answer && rpcErrorFrom(answer.error)
  if (error) throw error
  if (!('result' in answer)) throw new InvalidResponseError()
  return answer.result
}

/** Falsy parameters are left out, as the REST contract asks. */
function queryString(query: Query): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value) search.set(name, String(value))
  }
  return `?${search}`
}
