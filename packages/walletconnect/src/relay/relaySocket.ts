import type { Environment, Socket } from '../environment.ts'
import { createHeartbeat } from './heartbeat.ts'

/** Longest frame that is read, in characters. */
const MAX_FRAME = 4 << 20
const BACKOFF_MS = { first: 500, longest: 10_000 }
const CONNECT_DEADLINE_MS = 15_000
const ANSWER_DEADLINE_MS = 10_000
/** The same after the page was suspended, when a socket is likely to be dead. */
const WAKE_DEADLINE_MS = 3_000

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
  const heartbeat = createHeartbeat(clock, listener.probe)
  /** Of the connect deadline or the back-off: there is only one of them at a time. */
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
    cancelTimer()
    heartbeat.start()
    listener.opened()
  }

  function received(from: Socket, text: string): void {
    heartbeat.received()
    if (text.length > MAX_FRAME) drop(from, 'frame too large')
    else
      listener.received(text, (reply) => {
        if (socket === from) from.send(reply)
      })
  }

  function expectFrame(to: Socket, deadlineMs: number): void {
    heartbeat.expectFrame(deadlineMs, () => {
      if (socket === to) drop(to, 'no answer')
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
    heartbeat.stop()
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
    expectAnswer: heartbeat.expectAnswer,
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
