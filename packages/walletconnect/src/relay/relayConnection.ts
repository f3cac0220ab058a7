import type { Environment } from '../environment.ts'
import { formatResult, isRequest, parseRpc, type RpcId, type RpcResponse } from '../jsonRpc.ts'
import { isClockSkew, RelayError, refusalOf } from './errors.ts'
import { createPendingRequests } from './pendingRequests.ts'
import { createRelayAddress, type RelayOptions } from './relayAddress.ts'
import { createRelaySocket } from './relaySocket.ts'

/** Close code of a relay that refuses the client for good. */
const CLOSE_REFUSED = 3000
const ERROR_TOO_MANY_REQUESTS = 3001
/** Shortest time before a request is sent again that was one too many, in milliseconds. */
const RETRY_MS = 500
/** Maximum number of topics in one request. */
const BATCH = 500
/** How long a socket stays open that nothing waits for. */
const LINGER_MS = 10_000

/** A message of a topic, as a relay delivered it. */
interface Delivery {
  readonly topic: string
  /** An envelope in base64. */
  readonly message: string
}

export interface RelayListener {
  /** Handles a message; it is acknowledged to the relay once the promise is resolved. Must not throw. */
  deliver(delivery: Delivery): Promise<void>
  /** The relay refuses the client for good. The next request is one more attempt. */
  refused(error: RelayError): void
}

/** A client's connection to one relay. It opens at the first request and closes when there is nothing to wait for. */
export interface RelayConnection {
  readonly url: string
  /**
   * Calls a method of the relay, again after each reconnection until it is answered.
   *
   * @throws RelayError after 60 s, when the relay refuses, and for its other errors.
   */
  request(method: string, params: unknown): Promise<unknown>
  /** Receives the messages of a topic from now on, those in its mailbox first. */
  subscribe(topic: string): void
  unsubscribe(topic: string): void
  /** Checks the socket more often until the returned function is called: a peer's answer is awaited. */
  expectAnswer(): () => void
  /** Checks an open socket, or connects at once: for a page that was suspended or offline. */
  wake(): void
  close(): void
}

/** Creates a connection. @param seed Ed25519, 64 hex digits: the client's identity. */
export function createRelayConnection(
  options: RelayOptions,
  seed: string,
  environment: Environment,
  listener: RelayListener,
): RelayConnection {
  const { url } = options
  const { clock, log, random } = environment
  const topics = new Set<string>()
  const address = createRelayAddress(options, seed, environment)
  const pending = createPendingRequests(clock, closeWhenIdle)
  const socket = createRelaySocket(environment, address.create, {
    opened,
    probe: resubscribe,
    received,
    lost,
    isWanted,
  })
  let isClosed = false
  let cancelLinger = noop

  function opened(): void {
    log('debug', 'relay connected', { relay: url })
    const unanswered = pending.texts()
    resubscribe()
    for (const text of unanswered) socket.send(text)
  }

  function lost(code: number, reason: string): void {
    pending.endSocket()
    log('debug', 'relay disconnected', { relay: url, code, reason })
    if (code === CLOSE_REFUSED) void refused(reason)
    else if (isWanted()) socket.connectLater()
  }

  async function refused(reason: string): Promise<void> {
    if (isClockSkew(reason) && (await address.correctClock())) return socket.connect()
    const error = new RelayError(reason, refusalOf(reason))
    pending.fail(error)
    log('error', 'relay refused the client', { relay: url, reason })
    listener.refused(error)
  }

  function received(text: string, reply: (text: string) => void): void {
    try {
      const message = parseRpc(text)
      if (!isRequest(message)) answered(message)
      else if (message.method === 'irn_subscription') void deliver(message.id, message.params, reply)
    } catch {
      log('warn', 'relay sent an invalid frame', { relay: url })
    }
  }

  async function deliver(id: RpcId, params: unknown, reply: (text: string) => void): Promise<void> {
    const { topic, message } = Object(Object(params).data) as Partial<Delivery>
    if (typeof topic === 'string' && typeof message === 'string') await listener.deliver({ topic, message })
    reply(formatResult(id, true))
  }

  function answered(response: RpcResponse): void {
    socket.answered()
    const { id, error } = response
    if (pending.textOf(id) === undefined) return
    if (error?.code === ERROR_TOO_MANY_REQUESTS) {
      retryLater(id)
      return
    }
    pending.answer(response)
    closeWhenIdle()
  }

  function retryLater(id: RpcId): void {
    clock.after(RETRY_MS * (1 + random()), () => {
      const text = pending.textOf(id)
      if (text !== undefined) socket.send(text)
    })
  }

  function request(method: string, params: unknown, isOfSocket = false): Promise<unknown> {
    if (isClosed) return Promise.reject(new RelayError('the client is closed'))
    cancelLinger()
    return pending.add(method, params, isOfSocket, (text) => {
      if (!socket.send(text)) socket.connectUnlessLater()
    })
  }

  /** Subscribes to all topics, after a connection or to find out whether it still answers. */
  function resubscribe(): void {
    const all = [...topics]
    for (let at = 0; at < all.length; at += BATCH) subscribeNow(all.slice(at, at + BATCH))
  }

  function subscribeNow(batch: readonly string[]): void {
    request('irn_batchSubscribe', { topics: batch }, true).catch(({ message }: RelayError) =>
      log('warn', 'relay did not subscribe', { relay: url, reason: message }),
    )
  }

  function isWanted(): boolean {
    return !isClosed && (topics.size > 0 || pending.size() > 0)
  }

  function closeWhenIdle(): void {
    cancelLinger()
    if (isWanted() || !socket.exists()) return
    cancelLinger = clock.after(LINGER_MS, () => {
      if (!isWanted()) socket.drop('idle')
    })
  }

  return {
    url,
    request: (method, params) => request(method, params),
    subscribe(topic) {
      if (topics.has(topic) || isClosed) return
      topics.add(topic)
      cancelLinger()
      if (socket.isOpen()) subscribeNow([topic])
      else socket.connectUnlessLater()
    },
    unsubscribe(topic) {
      if (!topics.delete(topic)) return
      if (socket.isOpen()) request('irn_unsubscribe', { topic }, true).catch(noop)
      closeWhenIdle()
    },
    expectAnswer: socket.expectAnswer,
    wake() {
      if (isWanted()) socket.wake()
    },
    close() {
      isClosed = true
      cancelLinger()
      pending.fail(new RelayError('the client is closed'))
      socket.close()
    },
  }
}

function noop(): void {}
