import { InvalidResponseError, rpcErrorFrom } from './errors.ts'
import { postJson } from './request.ts'

export interface GatewayOptions {
  /** Origin of the gateway, with or without a trailing slash. */
  readonly baseUrl: string
  /** 32 hex digits. */
  readonly projectId: string
  readonly fetch?: typeof fetch
  /** Deadline of every call in milliseconds. */
  readonly timeoutMs?: number
}

/** What of a gateway is no Connect call: its JSON-RPC endpoint, and the addresses of pictures. */
export interface Gateway {
  /** Returns the URL of a picture that the gateway fetches on the page's behalf. */
  nftMediaUrl(mediaId: string): string
  /**
   * Returns the URL from which a page loads an icon that the gateway named; undefined for an empty one. Icons that the gateway serves
   * itself are loaded from the base URL of the page: behind a proxy the gateway may know another one.
   */
  iconUrl(named: string): string | undefined
  /** Returns the URL of the icon of a network, by its CAIP-2 id; the gateway responds with 404 where it has none. */
  networkMarkUrl(chainId: string): string
  /** Returns the URL of the icon of a token; `address` is 0x and 40 hex digits, or `native`. 404 where the gateway has none. */
  tokenMarkUrl(chainId: string, address: string): string
  /** Returns the URL of the icon of an on-ramp provider, by its name for calls; 404 where the gateway has none. */
  sellerMarkUrl(name: string): string
  /** Returns the URL of the JSON-RPC endpoint of a chain, by its CAIP-2 id. */
  rpcUrl(chainId: string): string
  /**
   * Calls a JSON-RPC method of a chain's node.
   *
   * @throws RpcError when the node responds with an error; GatewayError, TimeoutError, NetworkError or InvalidResponseError.
   */
  rpc(chainId: string, method: string, params: readonly unknown[], signal?: AbortSignal): Promise<unknown>
}

/** Creates a client of one gateway for one project. It keeps no state but the ids of its JSON-RPC calls. */
export function createGateway({
  baseUrl,
  projectId,
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
    iconUrl: (named) => named.replace(/^https?:\/\/[^/]+(?=\/v1\/assets\/)/, origin) || undefined,
    networkMarkUrl: (chainId) => `${origin}/v1/assets/networks/${chainId}.svg`,
    tokenMarkUrl: (chainId, address) => `${origin}/v1/assets/tokens/${chainId}/${address.toLowerCase()}.svg`,
    sellerMarkUrl: (name) => `${origin}/v1/assets/sellers/${encodeURIComponent(name.toLowerCase())}.svg`,
    async rpc(chainId, method, params, signal) {
      lastRpcId += 1
      const body = { jsonrpc: '2.0', id: lastRpcId, method, params }
      const response = await postJson({ fetch, url: rpcUrl(chainId), body, timeoutMs, signal })
      if (typeof response !== 'object' || response === null) throw new InvalidResponseError()
      const error = 'error' in response && rpcErrorFrom(response.error)
      if (error) throw error
      if (!('result' in response)) throw new InvalidResponseError()
      return response.result
    },
  }
}
