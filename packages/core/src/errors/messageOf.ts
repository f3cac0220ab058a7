import type { Message } from '@hawser/texts/message'

/** Returns what a value that has a message says, without its other members. */
export function messageOf({ message, key, values }: Message): Message {
  return { message, key, values }
}
