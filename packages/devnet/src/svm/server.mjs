import { WebSocketServer } from 'ws'
import { answer, bodyLimit, listenJsonRpc, RpcError, stringify } from '../jsonRpcServer.mjs'
import { accountMethods } from './accountMethods.mjs'
import { nodeMethods } from './nodeMethods.mjs'
import { Subscriptions } from './subscriptions.mjs'
import { transactionMethods } from './transactionMethods.mjs'

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
  /** @type {import('../jsonRpcServer.mjs').Call} */
  const call = (method, params) => {
    const found = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (!found) throw new RpcError(-32601, 'Method not found')
    return found(params)
  }

  const { server, url, close } = await listenJsonRpc(call, port)
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

  return {
    url,
    close() {
      for (const socket of sockets.clients) socket.terminate()
      close()
    },
  }
}
