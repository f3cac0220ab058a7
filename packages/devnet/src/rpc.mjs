/** A JSON-RPC call that the node answered with an error. */
class RpcError extends Error {
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
  return resultOf(method, await post(url, { jsonrpc: '2.0', id: 1, method, params }, timeout))
}

/**
 * Calls one JSON-RPC method many times in one request.
 *
 * @param {string} url
 * @param {string} method that takes one parameter
 * @param {unknown[]} params one a call
 * @param {number} [timeout] milliseconds
 * @returns {Promise<any[]>} in the order of the parameters
 * @throws {RpcError} when the node refuses one of them
 */
export async function rpcBatch(url, method, params, timeout = 30_000) {
  const calls = params.map((param, id) => ({ jsonrpc: '2.0', id, method, params: [param] }))
  /** @type {{ id: number, result?: any, error?: { code: number, message: string } }[]} */
  const answers = await post(url, calls, timeout)
  const results = new Map(answers.map((answer) => [answer.id, resultOf(method, answer)]))
  return calls.map(({ id }) => results.get(id))
}

/**
 * @param {string} url
 * @param {unknown} body
 * @param {number} timeout milliseconds
 * @returns {Promise<any>}
 */
async function post(url, body, timeout) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeout),
  })
  return response.json()
}

/**
 * @param {string} method
 * @param {{ result?: any, error?: { code: number, message: string } }} answer
 */
function resultOf(method, { result, error }) {
  if (error) throw new RpcError(method, error)
  return result
}
