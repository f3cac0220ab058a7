import type { Environment, Socket } from '../environment.ts'

/** Longest frame that is read, in characters. */
const MAX_FRAME = 4 << 20
const BACKOFF_MS = { first: 500, longest: 10_000 }
const CONNECT_DEADLINE_MS = 15_000
const ANSWER_DEADLINE_MS = 10_000
/** The same after the page was suspended, when a socket is likely to be dead. */
const WAKE_DEADLINE_MS = 3_000
/** Longest silence of a socket that is taken as healthy: while an answer of the peer is awaited, and otherwise. */
const HEARTBEAT_MS = { awaiting: 5_000, idle: 30_000 }

export interface RelaySocketListener {
  opened(): void
  /** Requests what the relay answers at once: a socket may be dead without a close event. */
  probe(): void
  /** Handles a frame; `reply` sends one on the same socket, if it is still used. */
  received(text: string, reply: (text: string) => void): void
  /** The socket was closed, or given up. */
  lost(code: number, reason: string): void
  /** Whether to open another socket after the back-off. */
  isWanted(): boolean
}

/** A socket to a relay, and the one that replaces it when it is lost. */
export interface RelaySocket {
  /** Whether a socket is open, or is being opened. */
  exists(): boolean
  isOpen(): boolean
  /** Opens a socket at once, unless there is one. */
  connect(): void
  /** Opens a socket, unless there is one or one is waited for. */
  connectUnlessLater(): void
  /** Opens a socket after an exponential back-off with full jitter, so that the clients of a restarted relay return spread out. */
  connectLater(): void
  /** Sends a frame on an open socket, which is given up when nothing is received afterwards; false without one. */
  send(text: string): boolean
  /** Ends the back-off: the relay has answered. */
  answered(): void
  /** Probes the socket more often until the returned function is called. */
  expectAnswer(): () => void
  /** Probes an open socket, or connects at once. */
  wake(): void
  /** Gives the socket up, if there is one. */
  drop(reason: string): void
  /** Gives the socket up for good. */
  close(): void
}

/** Creates the socket, which is opened by `connect`. */
export function createRelaySocket(
  { clock, openSocket, random }: Environment,
  address: () => string,
  listener: RelaySocketListener,
): RelaySocket {
  let socket: Socket | undefined
  let isOpen = false
  let isClosed = false
  let isBackingOff = false
  let failures = 0
  let lastFrameAt = 0
  let awaited = 0
  /** Of the connect deadline, the back-off or the heartbeat: there is only one of them at a time. */
  let cancelTimer = noop

  function connect(): void {
    if (socket || isClosed) return
    cancelTimer()
    isBackingOff = false
    const opening = openSocket(address())
    socket = opening
    cancelTimer = clock.after(CONNECT_DEADLINE_MS, () => drop(opening, 'timeout'))
    opening.onopen = () => {
      if (socket === opening) opened()
    }
    opening.onmessage = ({ data }) => {
      if (socket === opening && typeof data === 'string') received(opening, data)
    }
    opening.onclose = ({ code, reason }) => lost(opening, code, reason)
    opening.onerror = noop
  }

  function opened(): void {
    isOpen = true
    lastFrameAt = clock.now()
    listener.opened()
    scheduleBeat()
  }

  function heartbeatMs(): number {
    return awaited > 0 ? HEARTBEAT_MS.awaiting : HEARTBEAT_MS.idle
  }

  function scheduleBeat(): void {
    cancelTimer()
    cancelTimer = clock.after(heartbeatMs(), () => {
      if (clock.now() - lastFrameAt >= heartbeatMs()) listener.probe()
      scheduleBeat()
    })
  }

  function received(from: Socket, text: string): void {
    lastFrameAt = clock.now()
    if (text.length > MAX_FRAME) drop(from, 'frame too large')
    else
      listener.received(text, (reply) => {
        if (socket === from) from.send(reply)
      })
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
    listener.lost(code, reason)
  }

  return {
    exists: () => socket !== undefined,
    isOpen: () => isOpen,
    connect,
    connectUnlessLater() {
      if (!isBackingOff) connect()
    },
    connectLater() {
      const longest = Math.min(BACKOFF_MS.longest, BACKOFF_MS.first * 2 ** failures)
      failures += 1
      isBackingOff = true
      cancelTimer = clock.after(random() * longest, () => {
        isBackingOff = false
        if (listener.isWanted()) connect()
      })
    },
    send(text) {
      if (!socket || !isOpen) return false
      socket.send(text)
      expectFrame(socket, ANSWER_DEADLINE_MS)
      return true
    },
    answered() {
      failures = 0
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
      failures = 0
      if (!socket || !isOpen) {
        connect()
        return
      }
      listener.probe()
      expectFrame(socket, WAKE_DEADLINE_MS)
    },
    drop(reason) {
      if (socket) drop(socket, reason)
    },
    close() {
      isClosed = true
      if (socket) drop(socket, 'closed')
      cancelTimer()
    },
  }
}

function noop(): void {}
