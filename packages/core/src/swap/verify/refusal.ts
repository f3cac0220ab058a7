import { swapRefusals } from '@hawser/texts/en/swapRefusals'
import { type Message, messagesOf } from '@hawser/texts/message'

/** Why the page refuses what the gateway answered. */
export type SwapRefusal = keyof typeof swapRefusals

const refusal = messagesOf('swapRefusals', swapRefusals)

/** The gateway's answer differs from what the visitor confirmed; the wallet is not prompted. */
export class VerificationError extends Error implements Message {
  override readonly name = 'VerificationError'
  readonly key: string | undefined

  constructor(why: SwapRefusal, options?: ErrorOptions) {
    const { message, key } = refusal(why)
    super(message, options)
    this.key = key
  }
}

/**
 * Refuses what the gateway answered.
 *
 * @throws VerificationError
 */
export function refuse(why: SwapRefusal): never {
  throw new VerificationError(why)
}
