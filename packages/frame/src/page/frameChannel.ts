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

const ABORTED = 'Something went wrong'

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
  rejectAll(name: CallName, message: string): void
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
    else call.reject(Object.assign(new Error(message.payload.message), codeOf(message.payload)))
  }
  target.postMessage({ type: HELLO, version: PROTOCOL_VERSION }, frameOrigin, [port2])

  function rejectAll(matches: (call: OpenCall) => boolean, message: string) {
    for (const [id, call] of open) {
      if (!matches(call)) continue
      open.delete(id)
      call.reject(new Error(message))
    }
  }

  return {
    async call(name, payload, timeoutMs) {
      const id = crypto.randomUUID()
      let timer: ReturnType<typeof setTimeout> | undefined
      try {
        return await new Promise((resolve, reject) => {
          open.set(id, { name, resolve: resolve as (payload: unknown) => void, reject })
          if (timeoutMs !== undefined) timer = setTimeout(() => reject(new Error(ABORTED)), timeoutMs)
          port.postMessage({ type: APP_PREFIX + name, id, payload })
        })
      } finally {
        clearTimeout(timer)
        open.delete(id)
      }
    },
    post: (name) => port.postMessage({ type: APP_PREFIX + name, id: crypto.randomUUID() }),
    rejectAll: (name, message) => rejectAll((call) => call.name === name, message),
    close() {
      rejectAll(() => true, ABORTED)
      port.close()
    },
  }
}

const codeOf = ({ code }: { readonly code?: number }) => (code === undefined ? {} : { code })
