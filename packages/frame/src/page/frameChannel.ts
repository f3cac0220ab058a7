import {
  APP_PREFIX,
  type CallName,
  type CallPayload,
  type CallResult,
  type EventName,
  HELLO,
  PROTOCOL_VERSION,
  readFrameMessage,
} from '../protocol/messages.ts'

/** Said for a call that the frame does not answer. */
const ABORTED = { message: 'Something went wrong', reason: 'unknown' }

/** Why a call is rejected. */
export interface ErrorDetails {
  readonly message: string
  /** Of EIP-1193 or JSON-RPC. */
  readonly code?: number
  /** Of `hawser.fault.v1`, or the key of a failure of the wallet. */
  readonly reason?: string
  /** Seconds after which the call may be repeated. */
  readonly retrySeconds?: number
}

interface OpenCall {
  readonly name: CallName
  resolve(payload: unknown): void
  reject(reason: Error): void
}

/** Calls of a site to the frame, over a private MessagePort. */
export interface FrameChannel {
  /** Rejects with the frame's message, or with "Something went wrong" after `timeoutMs`. */
  call<N extends CallName>(name: N, payload?: CallPayload<N>, timeoutMs?: number): Promise<CallResult<N>>
  /** Posts a message without waiting for its answer. */
  post(name: CallName): void
  /** Rejects the open calls of one name. */
  rejectAll(name: CallName, reason: ErrorDetails): void
  /** Rejects all open calls and closes the port. */
  close(): void
}

/**
 * Hands one end of a new MessageChannel to a window of exactly `frameOrigin`, which is to answer READY on it.
 *
 * @param listener receives the events of the frame
 */
export function openFrameChannel(
  target: Window,
  frameOrigin: string,
  listener: (event: EventName, payload: unknown) => void,
): FrameChannel {
  const open = new Map<string, OpenCall>()
  const { port1: port, port2 } = new MessageChannel()

  port.onmessage = ({ data }) => {
    const message = readFrameMessage(data)
    if (!message) return
    if (message.kind === 'event') return listener(message.name, message.payload)
    const call = open.get(message.id)
    if (call?.name !== message.name) return
    open.delete(message.id)
    if (message.kind === 'result') call.resolve(message.payload)
    else call.reject(errorOf(message.payload))
  }
  target.postMessage({ type: HELLO, version: PROTOCOL_VERSION }, frameOrigin, [port2])

  function rejectAll(matches: (call: OpenCall) => boolean, reason: ErrorDetails) {
    for (const [id, call] of open) {
      if (!matches(call)) continue
      open.delete(id)
      call.reject(errorOf(reason))
    }
  }

  return {
    async call(name, payload, timeoutMs) {
      const id = crypto.randomUUID()
      let timer: ReturnType<typeof setTimeout> | undefined
      try {
        return await new Promise((resolve, reject) => {
          open.set(id, { name, resolve: resolve as (payload: unknown) => void, reject })
          if (timeoutMs !== undefined) timer = setTimeout(() => reject(errorOf(ABORTED)), timeoutMs)
          port.postMessage({ type: APP_PREFIX + name, id, payload })
        })
      } finally {
        clearTimeout(timer)
        open.delete(id)
      }
    },
    post: (name) => port.postMessage({ type: APP_PREFIX + name, id: crypto.randomUUID() }),
    rejectAll: (name, reason) => rejectAll((call) => call.name === name, reason),
    close() {
      rejectAll(() => true, ABORTED)
      port.close()
    },
  }
}

/** Returns an error with the details beside its message. */
export function errorOf({ message, code, reason, retrySeconds }: ErrorDetails): Error {
  return Object.assign(
    new Error(message),
    code === undefined ? {} : { code },
    reason === undefined ? {} : { reason },
    retrySeconds === undefined ? {} : { retrySeconds },
  )
}
