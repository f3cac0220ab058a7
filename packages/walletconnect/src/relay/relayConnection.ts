import type { Environment } from '../environment.ts'
import type { RpcId, RpcResponse } from '../jsonRpc.ts'
import { isClockSkew, RelayError, refusalOf } from './errors.ts'
import { type Delivery, readFrame } from './frames.ts'
import { createPendingRequests } from './pendingRequests.ts'
import { createRelayAddress, type RelayOptions } from './relayAddress.ts'
import { createRelaySocket } from './relaySocket.ts'
import { createSubscriptions } from './subscriptions.ts'

/** Close code of a relay that refuses the client for good. */
const CLOSE_REFUSED = 3000
const ERROR_TOO_MANY_REQUESTS = 3001
/** Shortest time before a request is sent again that was one too many, in milliseconds. */
const RETRY_MS = 500
/** How long a socket stays open that nothing waits for. */
const LINGER_MS = 10_000

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
  const subscriptions = createSubscriptions(subscribe)
  const address = createRelayAddress(options, seed, environment)
  const pending = createPendingRequests(clock, closeWhenIdle)
  const socket = createRelaySocket(environment, address.create, {
    opened,
    probe: subscriptions.sendAll,
    received,
    lost,
    isWanted,
  })
  let isClosed = false
  let cancelLinger = noop

  function opened(): void {
    log('debug', 'relay connected', { relay: url })
    const unanswered = pending.texts()
    subscriptions.sendAll()
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
      readFrame(text, reply, { answered, deliver: listener.deliver })
    } catch {
      log('warn', 'relay sent an invalid frame', { relay: url })
    }
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

  function subscribe(topics: readonly string[]): void {
    request('irn_batchSubscribe', { topics }, true).catch(({ message }: RelayError) =>
      log('warn', 'relay did not subscribe', { relay: url, reason: message }),
    )
  }

  function isWanted(): boolean {
    return !isClosed && (subscriptions.size() > 0 || pending.size() > 0)
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
      if (isClosed || !subscriptions.add(topic)) return
      cancelLinger()
      if (socket.isOpen()) subscriptions.send(topic)
      else socket.connectUnlessLater()
    },
    unsubscribe(topic) {
      if (!subscriptions.remove(topic)) return
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
