import { InvalidResponseError, rpcErrorFrom } from './errors.ts'
import { requestJson } from './request.ts'

export interface GatewayOptions {
  /** Origin of the gateway, with or without a trailing slash. */
  readonly baseUrl: string
  /** 32 hex digits. */
  readonly projectId: string
  /** Which SDK reads, sent with every read as `st`; `unknown` by default. */
  readonly sdkType?: string | undefined
  /** Its version, sent as `sv`; `unknown` by default. */
  readonly sdkVersion?: string | undefined
  readonly fetch?: typeof fetch
  /** Deadline of every call in milliseconds. */
  readonly timeoutMs?: number
}

export interface RestOptions {
  /** Query parameters; undefined ones are left out. The project id is always sent. */
  readonly query?: Readonly<Record<string, string | number | undefined>>
  /** Posted as JSON; without a body the call is a GET. */
  readonly body?: unknown
  /** Lets the call outlive the page. */
  readonly keepalive?: boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * The parts of a gateway that are not Connect calls: its REST and JSON-RPC endpoints, and the addresses of
 * pictures.
 */
export interface Gateway {
  /** Returns the URL of a picture that the gateway fetches on the page's behalf. */
  nftMediaUrl(mediaId: string): string
  /**
   * Returns the URL from which a page loads an icon that the gateway named; undefined for an empty one. Icons that the gateway serves
   * itself, by URL or path, are loaded from the base URL of the page: behind a proxy the gateway may know another one.
   */
  iconUrl(named: string): string | undefined
  /** Returns the URL of the icon of a network, by its CAIP-2 id; the gateway responds with 404 where it has none. */
  networkMarkUrl(chainId: string): string
  /** Returns the URL of the icon of a token; `address` is 0x and 40 hex digits, or `native`. 404 where the gateway has none. */
  tokenMarkUrl(chainId: string, address: string): string
  /** Returns the URL of the icon of an on-ramp provider, by its name for calls; 404 where the gateway has none. */
  sellerMarkUrl(name: string): string
  /**
   * Calls a path of the REST API, for what a page needs before it loads the runtime of Connect.
   *
   * @throws GatewayError, TimeoutError, NetworkError or InvalidResponseError.
   */
  rest(path: string, options?: RestOptions): Promise<unknown>
  /** Returns the URL of the JSON-RPC endpoint of a chain, by its CAIP-2 id. */
  rpcUrl(chainId: string): string
  /**
   * Calls a JSON-RPC method of a chain's node. Integers of the result that a JavaScript number cannot hold exactly are strings.
   *
   * @throws RpcError when the node responds with an error; GatewayError, TimeoutError, NetworkError or InvalidResponseError.
   */
  rpc(chainId: string, method: string, params: readonly unknown[], signal?: AbortSignal): Promise<unknown>
}

/** Creates a client of one gateway for one project. It keeps no state but the ids of its JSON-RPC calls. */
export function createGateway({
  baseUrl,
  projectId,
  sdkType = 'unknown',
  sdkVersion = 'unknown',
  fetch = (...args) => globalThis.fetch(...args),
  timeoutMs = 10_000,
}: GatewayOptions): Gateway {
  const origin = baseUrl.replace(/\/+$/, '')
  const project = `projectId=${encodeURIComponent(projectId)}`
  let lastRpcId = 0

  const rpcUrl = (chainId: string) => `${origin}/v1/?chainId=${encodeURIComponent(chainId)}&${project}`

  return {
    rpcUrl,
    nftMediaUrl: (mediaId) => `${origin}/v1/nft-media/${encodeURIComponent(mediaId)}?${project}`,
    iconUrl: (named) =>
      named.replace(/^(\w+:\/\/[^/]+)?(?=\/(v1\/assets|getWalletImage)\/)/, origin) || undefined,
    networkMarkUrl: (chainId) => `${origin}/v1/assets/networks/${chainId}.svg`,
    tokenMarkUrl: (chainId, address) => `${origin}/v1/assets/tokens/${chainId}/${address.toLowerCase()}.svg`,
    sellerMarkUrl: (name) => `${origin}/v1/assets/sellers/${encodeURIComponent(name.toLowerCase())}.svg`,
    rest(path, { query = {}, body, keepalive, signal } = {}) {
      const parameters = new URLSearchParams({
        projectId,
        ...(!body && { st: sdkType, sv: sdkVersion }),
      })
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) parameters.set(name, String(value))
      return requestJson({ fetch, url: `${origin}${path}?${parameters}`, body, keepalive, timeoutMs, signal })
    },
    async rpc(chainId, method, params, signal) {
      lastRpcId += 1
      const body = { jsonrpc: '2.0', id: lastRpcId, method, params }
      const url = rpcUrl(chainId)
      const response = await requestJson({ fetch, url, body, isExact: true, timeoutMs, signal })
      if (typeof response !== 'object' || response === null) throw new InvalidResponseError()
      const error = 'error' in response && rpcErrorFrom(response.error)
      if (error) throw error
      if (!('result' in response)) throw new InvalidResponseError()
      return response.result
    },
  }
}
