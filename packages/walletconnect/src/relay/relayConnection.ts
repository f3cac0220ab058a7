import { signClientToken } from '../crypto/clientAuth.ts'
import { randomHex } from '../crypto/keys.ts'
import type { Environment, Socket } from '../environment.ts'
import {
  createIds,
  formatRequest,
  formatResult,
  isRequest,
  parseRpc,
  type RpcId,
  type RpcResponse,
} from '../jsonRpc.ts'
import { isClockSkew, RelayError, refusalOf } from './errors.ts'

/** Close code of a relay that refuses the client for good. */
const CLOSE_REFUSED = 3000
const ERROR_TOO_MANY_REQUESTS = 3001
/** Maximum number of topics in one request. */
const BATCH = 500
/** Longest frame that is read, in characters. */
const MAX_FRAME = 4 << 20
const BACKOFF_MS = { first: 500, longest: 10_000 }
const CONNECT_DEADLINE_MS = 15_000
const REQUEST_DEADLINE_MS = 60_000
const ANSWER_DEADLINE_MS = 10_000
/** The same after the page was suspended, when a socket is likely to be dead. */
const WAKE_DEADLINE_MS = 3_000
/** How long a socket stays open that nothing waits for. */
const LINGER_MS = 10_000
/** Longest silence of a socket that is taken as healthy: while an answer of the peer is awaited, and otherwise. */
const HEARTBEAT_MS = { awaiting: 5_000, idle: 30_000 }
const USER_AGENT = 'wc-2/hawser-0.1.0/unknown/browser'
/** A larger difference to the relay's clock is corrected. */
const SKEW_MS = 30_000

export interface RelayOptions {
  /** `ws:` or `wss:`, without a query. */
  readonly url: string
  readonly projectId: string
}

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

interface Pending {
  readonly text: string
  /** Not repeated on another socket. */
  readonly isOfSocket: boolean
  readonly resolve: (result: unknown) => void
  readonly reject: (error: RelayError) => void
}

/** Creates a connection. @param seed Ed25519, 64 hex digits: the client's identity. */
export function createRelayConnection(
  { url, projectId }: RelayOptions,
  seed: string,
  environment: Environment,
  listener: RelayListener,
): RelayConnection {
  const { clock, log, openSocket, random, fetch } = environment
  const nextId = createIds(clock.now)
  const nonce = randomHex(32)
  const topics = new Set<string>()
  const pending = new Map<RpcId, Pending>()
  let socket: Socket | undefined
  let isOpen = false
  let isClosed = false
  let isBackingOff = false
  let failures = 0
  let skewMs = 0
  let lastFrameAt = 0
  let awaited = 0
  /** Of the connect deadline, the back-off or the heartbeat: there is only one of them at a time. */
  let cancelTimer = noop
  let cancelLinger = noop

  function connect(): void {
    if (socket || isClosed) return
    cancelTimer()
    isBackingOff = false
    const opening = openSocket(address())
    socket = opening
    cancelTimer = clock.after(CONNECT_DEADLINE_MS, () => drop(opening, 'timeout'))
    opening.onopen = () => {
      if (socket === opening) opened(opening)
    }
    opening.onmessage = ({ data }) => {
      if (socket === opening && typeof data === 'string') receive(opening, data)
    }
    opening.onclose = ({ code, reason }) => lost(opening, code, reason)
    opening.onerror = noop
  }

  function address(): string {
    const issuedAt = Math.floor((clock.now() + skewMs) / 1000)
    const query = new URLSearchParams({
      auth: signClientToken(seed, { audience: url, nonce, issuedAt }),
      projectId,
      ua: USER_AGENT,
      useOnCloseEvent: 'true',
    })
    return `${url}?${query}`
  }

  function opened(by: Socket): void {
    isOpen = true
    lastFrameAt = clock.now()
    log('debug', 'relay connected', { relay: url })
    const unanswered = [...pending.values()]
    resubscribe()
    for (const call of unanswered) send(by, call.text)
    scheduleBeat()
  }

  function heartbeatMs(): number {
    return awaited > 0 ? HEARTBEAT_MS.awaiting : HEARTBEAT_MS.idle
  }

  function scheduleBeat(): void {
    cancelTimer()
    cancelTimer = clock.after(heartbeatMs(), beat)
  }

  /** Subscribes again when nothing was received for a while: a socket may be dead without a close event. */
  function beat(): void {
    if (clock.now() - lastFrameAt >= heartbeatMs()) resubscribe()
    scheduleBeat()
  }

  /** Sends a frame, and gives the socket up when nothing is received afterwards. */
  function send(to: Socket, text: string): void {
    to.send(text)
    expectFrame(to, ANSWER_DEADLINE_MS)
  }

  function expectFrame(to: Socket, deadlineMs: number): void {
    const sentAt = clock.now()
    clock.after(deadlineMs, () => {
      if (socket === to && lastFrameAt < sentAt) drop(to, 'no answer')
    })
  }

  /** Gives a socket up without waiting for its close event. */
  function drop(dropped: Socket, reason: string): void {
    dropped.onclose = null
    dropped.close()
    lost(dropped, 1006, reason)
  }

  function lost(closed: Socket, code: number, reason: string): void {
    if (socket !== closed) return
    socket = undefined
    isOpen = false
    cancelTimer()
    for (const [id, { isOfSocket, resolve }] of pending) {
      if (isOfSocket && pending.delete(id)) resolve(undefined)
    }
    log('debug', 'relay disconnected', { relay: url, code, reason })
    if (code === CLOSE_REFUSED) void refused(reason)
    else if (isWanted()) connectLater()
  }

  /** Waits with exponential back-off and full jitter, so that the clients of a restarted relay return spread out. */
  function connectLater(): void {
    const longest = Math.min(BACKOFF_MS.longest, BACKOFF_MS.first * 2 ** failures)
    failures += 1
    isBackingOff = true
    cancelTimer = clock.after(random() * longest, () => {
      isBackingOff = false
      if (isWanted()) connect()
    })
  }

  async function refused(reason: string): Promise<void> {
    if (isClockSkew(reason) && (await correctClock())) return connect()
    const error = new RelayError(reason, refusalOf(reason))
    failPending(error)
    log('error', 'relay refused the client', { relay: url, reason })
    listener.refused(error)
  }

  /** Reads the relay's clock; false when it agrees with the one that was used, so that it is not the reason. */
  async function correctClock(): Promise<boolean> {
    try {
      const health = new URL('/health', url.replace(/^ws/, 'http'))
      const response = await fetch(health, { signal: AbortSignal.timeout(ANSWER_DEADLINE_MS) })
      const relayTime = Date.parse(response.headers.get('date') ?? '')
      if (Number.isNaN(relayTime)) return false
      const before = skewMs
      skewMs = relayTime - clock.now()
      return Math.abs(skewMs - before) > SKEW_MS
    } catch {
      return false
    }
  }

  function receive(from: Socket, text: string): void {
    lastFrameAt = clock.now()
    if (text.length > MAX_FRAME) {
      drop(from, 'frame too large')
      return
    }
    try {
      const message = parseRpc(text)
      if (!isRequest(message)) answered(message)
      else if (message.method === 'irn_subscription') void deliver(from, message.id, message.params)
    } catch {
      log('warn', 'relay sent an invalid frame', { relay: url })
    }
  }

  async function deliver(from: Socket, id: RpcId, params: unknown): Promise<void> {
    const { topic, message } = Object(Object(params).data) as Partial<Delivery>
    if (typeof topic === 'string' && typeof message === 'string') await listener.deliver({ topic, message })
    if (socket === from) from.send(formatResult(id, true))
  }

  function answered({ id, result, error }: RpcResponse): void {
    failures = 0
    const call = pending.get(id)
    if (!call) return
    if (error?.code === ERROR_TOO_MANY_REQUESTS) {
      retryLater(id, call)
      return
    }
    pending.delete(id)
    if (error) call.reject(new RelayError(error.message, undefined, error.code))
    else call.resolve(result)
    closeWhenIdle()
  }

  function retryLater(id: RpcId, { text }: Pending): void {
    clock.after(BACKOFF_MS.first * (1 + random()), () => {
      if (socket && isOpen && pending.has(id)) send(socket, text)
    })
  }

  function request(method: string, params: unknown, isOfSocket = false): Promise<unknown> {
    if (isClosed) return Promise.reject(new RelayError('the client is closed'))
    cancelLinger()
    return new Promise((resolve, reject) => {
      const id = String(nextId())
      const text = formatRequest(id, method, params)
      const cancel = clock.after(REQUEST_DEADLINE_MS, () => {
        if (!pending.delete(id)) return
        reject(new RelayError(`the relay did not answer ${method}`))
        closeWhenIdle()
      })
      pending.set(id, {
        text,
        isOfSocket,
        resolve(value) {
          cancel()
          resolve(value)
        },
        reject(error) {
          cancel()
          reject(error)
        },
      })
      if (socket && isOpen) send(socket, text)
      else connectNow()
    })
  }

  function connectNow(): void {
    if (!isBackingOff) connect()
  }

  function failPending(error: RelayError): void {
    const calls = [...pending.values()]
    pending.clear()
    for (const { reject } of calls) reject(error)
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
    return !isClosed && (topics.size > 0 || pending.size > 0)
  }

  function closeWhenIdle(): void {
    cancelLinger()
    if (isWanted() || !socket) return
    cancelLinger = clock.after(LINGER_MS, () => {
      if (socket && !isWanted()) drop(socket, 'idle')
    })
  }

  return {
    url,
    request: (method, params) => request(method, params),
    subscribe(topic) {
      if (topics.has(topic) || isClosed) return
      topics.add(topic)
      cancelLinger()
      if (isOpen) subscribeNow([topic])
      else connectNow()
    },
    unsubscribe(topic) {
      if (!topics.delete(topic)) return
      if (isOpen) request('irn_unsubscribe', { topic }, true).catch(noop)
      closeWhenIdle()
    },
    expectAnswer() {
      let isAwaiting = true
      awaited += 1
      if (isOpen) scheduleBeat()
      return () => {
        if (isAwaiting) awaited -= 1
        isAwaiting = false
      }
    },
    wake() {
      if (!isWanted()) return
      failures = 0
      if (!socket || !isOpen) {
        connect()
        return
      }
      resubscribe()
      expectFrame(socket, WAKE_DEADLINE_MS)
    },
    close() {
      isClosed = true
      cancelLinger()
      failPending(new RelayError('the client is closed'))
      if (socket) drop(socket, 'closed')
      cancelTimer()
    },
  }
}

function noop(): void {}
