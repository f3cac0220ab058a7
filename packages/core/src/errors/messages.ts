import { toasts } from '@hawser/texts/en/toasts'
import { type Message, messagesOf } from '@hawser/texts/message'

/** Makes the message of a toast by its key. */
export const toast = messagesOf('toasts', toasts)

/** Returns what a value that has a message says, without its other members. */
export function messageOf({ message, key, values }: Message): Message {
  return { message, key, values }
}
