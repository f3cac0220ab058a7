/** Why the page refuses what the gateway answered, as a sentence for the visitor; pages translate it as a whole. */
export type SwapRefusal =
  | 'An address has more than 20 bytes'
  | 'The amount goes to another contract'
  | 'The approval has more than its two words'
  | 'The approval is not of this swap'
  | 'The approval is of another amount'
  | 'The call data ends early'
  | 'The call data is not lower-case hex'
  | 'The call data points behind its end'
  | 'The call sends another value'
  | 'The contract is none of those that this page swaps with'
  | 'The deadline is more than an hour away'
  | 'The path is none'
  | 'The permit is for something else'
  | 'The permit is not JSON'
  | 'The permit is not for this swap'
  | 'The quote names nobody to allow'
  | 'The router is called in another way'
  | 'The router keeps a part'
  | 'The router keeps more than one percent'
  | 'The router may sell a part only'
  | 'The router pays another token'
  | 'The router pays nobody'
  | 'The router pays somebody else'
  | 'The router swaps nothing'
  | 'The router takes another token'
  | 'The router takes from somebody'
  | 'The router takes more than is sold'
  | 'The router trades another token'
  | 'The router would cut the minimum'
  | 'The router wraps another amount'
  | 'The swap may pay less than was promised'
  | 'The swap takes another amount'
  | 'The transaction is for another network'
  | 'The wrapper is called in another way'
  | 'This page knows no exchange on the network'
  | 'This page knows no router that takes tokens through Permit2'
  | 'Your wallet does not find the contract in the registry of 0x'

/** The gateway's answer differs from what the visitor confirmed; the wallet is not prompted. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError'

  constructor(why: SwapRefusal, options?: ErrorOptions) {
    super(why, options)
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
