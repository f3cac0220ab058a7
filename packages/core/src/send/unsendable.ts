import { sendRefusals } from '@hawser/texts/en/sendRefusals'
import { type Message, messagesOf } from '@hawser/texts/message'

/** Why a transfer would fail. */
export type SendRefusal = keyof typeof sendRefusals

const refusal = messagesOf('sendRefusals', sendRefusals)

/** A transfer that would fail, as the accounts on the chain show. */
export class UnsendableError extends Error implements Message {
  override readonly name = 'UnsendableError'
  readonly key: string | undefined

  constructor(readonly why: SendRefusal) {
    const { message, key } = refusal(why)
    super(message)
    this.key = key
  }
}
