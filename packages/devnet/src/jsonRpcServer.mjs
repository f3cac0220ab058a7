import { createServer } from 'node:http'

/** Largest request, in bytes. */
export const bodyLimit = 10_000_000

/** An error of JSON-RPC, with the code and the data that nodes answer. */
export class RpcError extends Error {
  /**
   * @param {number} code
   * @param {string} message
   * @param {unknown} [data]
   */
  constructor(code, message, data) {
    super(message)
    this.name = 'RpcError'
    this.code = code
    this.data = data
  }
}

/** @typedef {(method: string, params: any[]) => unknown} Call */

/**
 * Serves JSON-RPC over HTTP on this machine, to pages of every origin.
 *
 * @param {Call} call
 * @param {number} port 0 lets the system choose
 * @returns {Promise<{ server: import('node:http').Server, url: string, close: () => void }>}
 * @throws {Error} when the port is taken
 */
export async function listenJsonRpc(call, port) {
  const server = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*')
    response.setHeader('content-type', 'application/json')
    if (request.method !== 'POST') return response.writeHead(request.method === 'OPTIONS' ? 204 : 405).end()
    // The client may leave before its request is complete.
    const body = await read(request).catch(() => null)
    if (body === null) return response.destroy()
    if (body === undefined) return response.writeHead(413).end()
    response.end(answer(body, call))
  })
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(undefined))
  })
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`,
    server,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/**
 * Answers one request or a batch.
 *
 * @param {string} body
 * @param {Call} call
 */
export function answer(body, call) {
  let request
  try {
    request = JSON.parse(body)
  } catch {
    return stringify({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } })
  }
  return stringify(
    Array.isArray(request) ? request.map((one) => answerOne(one, call)) : answerOne(request, call),
  )
}

/**
 * @param {any} request
 * @param {Call} call
 */
function answerOne(request, call) {
  const id = request?.id ?? null
  if (typeof request?.method !== 'string') {
    return { jsonrpc: '2.0', id, error: { code: -32600, message: 'Invalid request' } }
  }
  try {
    return { jsonrpc: '2.0', id, result: call(request.method, request.params ?? []) }
  } catch (error) {
    if (!(error instanceof RpcError)) console.error(request.method, error)
    const { code, message, data } =
      error instanceof RpcError ? error : new RpcError(-32602, `Invalid params: ${error}`)
    return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } }
  }
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @returns {Promise<string | undefined>} undefined when it is too large
 */
async function read(request) {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > bodyLimit) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Writes JSON with whole numbers of any size, as nodes do.
 *
 * @param {unknown} value
 */
export function stringify(value) {
  const marked = JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? `\u0001${item}` : item))
  return marked.replace(/"\\u0001(\d+)"/g, '$1')
}
