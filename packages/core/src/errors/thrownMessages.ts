import { thrown } from '@hawser/texts/en/thrown'
import { type Message, messagesOf } from '@hawser/texts/message'

/** Makes the message of an error that visitors may see by its key. */
export const failure = messagesOf('thrown', thrown)

/** An error that visitors may see. */
export class MessageError extends Error implements Message {
  readonly key: string | undefined
  readonly values: Message['values']

  constructor({ message, key, values }: Message, options?: ErrorOptions) {
    super(message, options)
    this.key = key
    this.values = values
  }
}
