import { formatResult, isRequest, parseRpc, type RpcId, type RpcResponse } from '../jsonRpc.ts'

/** A message of a topic, as a relay delivered it. */
export interface Delivery {
  readonly topic: string
  /** An envelope in base64. */
  readonly message: string
}

interface FrameListener {
  answered(response: RpcResponse): void
  /** Handles a message; it is acknowledged to the relay once the promise is resolved. Must not throw. */
  deliver(delivery: Delivery): Promise<void>
}

/** Reads a frame of a relay: the answer to a request, or a message. @throws Error for a frame that is neither */
export function readFrame(text: string, reply: (text: string) => void, listener: FrameListener): void {
  const frame = parseRpc(text)
  if (!isRequest(frame)) listener.answered(frame)
  else if (frame.method === 'irn_subscription') void deliver(frame.id, frame.params, reply, listener)
}

async function deliver(
  id: RpcId,
  params: unknown,
  reply: (text: string) => void,
  listener: FrameListener,
): Promise<void> {
  const { topic, message } = Object(Object(params).data) as Partial<Delivery>
  if (typeof topic === 'string' && typeof message === 'string') await listener.deliver({ topic, message })
  reply(formatResult(id, true))
}
