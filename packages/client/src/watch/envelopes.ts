import { InvalidResponseError } from '../rest/errors.ts'

/** One message of a Connect stream, see https://connectrpc.com/docs/protocol#streaming-rpcs. */
export interface Envelope {
  /** Set on the last one, whose text says how the stream ended. */
  readonly isEnd: boolean
  /** JSON. */
  readonly text: string
}

/** A flag byte and four bytes of length stand before each message. */
const HEAD_BYTES = 5
const COMPRESSED = 1
const END_OF_STREAM = 2

/** Far above a balance list of any account; a stream that claims more is none of ours. */
const LONGEST_MESSAGE_BYTES = 16 * 1024 * 1024

/** Puts one message into an envelope, as the request of a server stream is sent. */
export function envelope(message: unknown): Uint8Array<ArrayBuffer> {
  const body = new TextEncoder().encode(JSON.stringify(message))
  const bytes = new Uint8Array(HEAD_BYTES + body.length)
  new DataView(bytes.buffer).setUint32(1, body.length)
  bytes.set(body, HEAD_BYTES)
  return bytes
}

/**
 * Reads a body envelope by envelope, however the network cut it. Leaving the loop cancels the body.
 *
 * @throws InvalidResponseError for a compressed or oversized message, or a body that ends inside one.
 */
export async function* readEnvelopes(body: ReadableStream<Uint8Array>): AsyncGenerator<Envelope> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let bytes = new Uint8Array(0)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      bytes = joined(bytes, value)
      for (let length = messageLength(bytes); length !== undefined; length = messageLength(bytes)) {
        const end = HEAD_BYTES + length
        const isEnd = ((bytes[0] ?? 0) & END_OF_STREAM) !== 0
        yield { isEnd, text: decoder.decode(bytes.subarray(HEAD_BYTES, end)) }
        bytes = bytes.slice(end)
      }
    }
    if (bytes.length > 0) throw new InvalidResponseError()
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Length of the first message in bytes; undefined while not all of it is here. */
function messageLength(bytes: Uint8Array): number | undefined {
  if (bytes.length < HEAD_BYTES) return undefined
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1)
  if (length > LONGEST_MESSAGE_BYTES || (bytes[0] ?? 0) & COMPRESSED) throw new InvalidResponseError()
  return bytes.length >= HEAD_BYTES + length ? length : undefined
}

function joined(first: Uint8Array<ArrayBuffer>, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}
