/** A JSON-RPC call that the node answered with an error. */
export class RpcError extends Error {
  /**
   * @param {string} method
   * @param {{ code: number, message: string }} error
   */
  constructor(method, error) {
    super(`${method}: ${error.message}`)
    this.name = 'RpcError'
    this.code = error.code
  }
}

/**
 * Calls one JSON-RPC method over HTTP.
 *
 * @param {string} url
 * @param {string} method
 * @param {unknown[]} [params]
 * @param {number} [timeout] milliseconds
 * @returns {Promise<any>}
 * @throws {RpcError} when the node refuses
 */
export async function rpc(url, method, params = [], timeout = 10_000) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeout),
  })
  const { result, error } = await response.json()
  if (error) throw new RpcError(method, error)
  return result
}
