import { fromBase64 } from '../factors/factorKey.ts'

/** A detail of an error of the Connect protocol: the full name of its message, and the message in base 64. */
export interface ErrorDetail {
  readonly type?: string
  readonly value?: string
}

/** Returns the reason of a google.rpc.ErrorInfo, such as `CODE_WRONG`; undefined without one. */
export function reasonOf(details: readonly ErrorDetail[]): string | undefined {
  const reason = fieldsOf(details, 'google.rpc.ErrorInfo').get(1)
  return reason instanceof Uint8Array ? new TextDecoder().decode(reason) : undefined
}

/** Returns the delay of a google.rpc.RetryInfo in seconds, rounded up; undefined without one. */
export function retrySecondsOf(details: readonly ErrorDetail[]): number | undefined {
  const delay = fieldsOf(details, 'google.rpc.RetryInfo').get(1)
  if (!(delay instanceof Uint8Array)) return undefined
  // google.protobuf.Duration: seconds, and nanoseconds.
  const duration = readFields(delay)
  const seconds = Number(duration.get(1) ?? 0) + (duration.get(2) ? 1 : 0)
  return seconds > 0 ? seconds : undefined
}

/** A varint as a number, a text or a nested message as its bytes. */
type Field = number | Uint8Array

function fieldsOf(details: readonly ErrorDetail[], type: string): ReadonlyMap<number, Field> {
  const value = details.find((detail) => detail.type === type)?.value
  return value ? readFields(fromBase64(value)) : new Map()
}

/** Reads the fields of a protobuf message by their numbers, up to one that is neither a varint nor has a length. */
function readFields(message: Uint8Array): ReadonlyMap<number, Field> {
  const fields = new Map<number, Field>()
  let at = 0
  function varint(): number {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = message[at++] ?? 0
      value += (byte % 128) * scale
      if (byte < 128) return value
    }
  }
  while (at < message.length) {
    const key = varint()
    const value = varint()
    const [number, wireType] = [Math.floor(key / 8), key % 8]
    if (wireType === 0) fields.set(number, value)
    else if (wireType === 2) {
      fields.set(number, message.subarray(at, at + value))
      at += value
    } else break
  }
  return fields
}
