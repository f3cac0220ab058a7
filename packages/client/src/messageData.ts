/**
 * The fields of a generated message, and of the messages in it, without what the Protobuf runtime adds. A field that is not set is absent.
 */
export type MessageData<T> = T extends bigint | Uint8Array
  ? T
  : T extends readonly (infer Item)[]
    ? readonly MessageData<Item>[]
    : T extends object
      ? {
          readonly [Key in keyof T as Key extends '$typeName' | '$unknown' ? never : Key]: MessageData<
            Exclude<T[Key], undefined>
          >
        }
      : T

/** Returns the data of a message as plain objects, which can be compared, spread and stored. */
export function messageData<T>(message: T): MessageData<T>
export function messageData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(messageData)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  const fields = Object.entries(value).filter(([key]) => key !== '$typeName' && key !== '$unknown')
  return Object.fromEntries(fields.map(([key, field]) => [key, messageData(field)]))
}
