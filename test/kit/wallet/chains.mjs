import { WalletError } from './errors.mjs'

/** The nodes of a wallet, and calls to them. */
export class WalletChains {
  /** @type {Map<number, string>} */
  #urls

  /** @param {{ chainId: number, rpcUrl: string }[]} chains */
  constructor(chains) {
    this.#urls = new Map(chains.map(({ chainId, rpcUrl }) => [chainId, rpcUrl]))
  }

  /** @param {number} chainId */
  knows(chainId) {
    return this.#urls.has(chainId)
  }

  /**
   * @param {number} chainId
   * @param {string} rpcUrl
   */
  add(chainId, rpcUrl) {
    this.#urls.set(chainId, rpcUrl)
  }

  /**
   * Calls a node of a known chain.
   *
   * @param {number} chainId
   * @param {string} method
   * @param {unknown[]} [params]
   * @returns {Promise<any>}
   * @throws {WalletError} the node's own error
   */
  async call(chainId, method, params = []) {
    const url = this.#urls.get(chainId)
    if (!url) throw new WalletError(4901, `The wallet is not connected to chain ${chainId}.`)
    return callNode(url, method, params)
  }
}

/**
 * @param {string} url
 * @param {string} method
 * @param {unknown[]} [params]
 * @returns {Promise<any>}
 * @throws {WalletError} the node's own error
 */
export async function callNode(url, method, params = []) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(10_000),
  })
  const { result, error } = await response.json()
  if (error) throw new WalletError(error.code, error.message)
  return result
}
