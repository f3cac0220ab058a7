import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { accountMethods } from './accountMethods.mjs'
import { stringify } from './encoding.mjs'
import { RpcError } from './errors.mjs'
import { nodeMethods } from './nodeMethods.mjs'
import { Subscriptions } from './subscriptions.mjs'
import { transactionMethods } from './transactionMethods.mjs'

/** Largest request, in bytes. */
const bodyLimit = 10_000_000

/**
 * Serves a chain by JSON-RPC over HTTP and, at the same address, over WebSocket, where clients can subscribe too.
 *
 * @param {import('./chain.mjs').Chain} chain
 * @param {number} port 0 lets the system choose
 * @returns {Promise<{ url: string, close: () => void }>}
 * @throws {Error} when the port is taken
 */
export async function serve(chain, port) {
  const methods = { ...nodeMethods(chain), ...accountMethods(chain), ...transactionMethods(chain) }
  /** @type {Call} */
  const call = (method, params) => {
    const found = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (!found) throw new RpcError(-32601, 'Method not found')
    return found(params)
  }

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
  const sockets = new WebSocketServer({ server, maxPayload: bodyLimit })
  sockets.on('connection', (socket) => {
    const subscriptions = new Subscriptions(chain, (message) => socket.send(stringify(message)))
    socket.on('close', () => subscriptions.close())
    socket.on('error', () => socket.terminate())
    socket.on('message', (data) =>
      socket.send(
        answer(String(data), (method, params) => subscriptions.call(method, params) ?? call(method, params)),
      ),
    )
  })

  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(undefined))
  })
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`,
    close() {
      for (const socket of sockets.clients) socket.terminate()
      server.close()
      server.closeAllConnections()
    },
  }
}

/** @typedef {(method: string, params: any[]) => unknown} Call */

/**
 * Answers one request or a batch.
 *
 * @param {string} body
 * @param {Call} call
 */
function answer(body, call) {
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
