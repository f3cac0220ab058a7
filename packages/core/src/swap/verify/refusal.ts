/** Why the page refuses what the gateway answered, as a sentence for the visitor; pages translate it as a whole. */
export type SwapRefusal =
  | 'An address has more than 20 bytes'
  | 'The amount goes to another contract'
  | 'The approval is for another amount'
  | 'The approval is not for this swap'
  | 'The approval is not two words long'
  | 'The call data is not lower-case hex'
  | 'The call data is truncated'
  | 'The call data points past its end'
  | 'The call sends another value'
  | 'The contract is not one that this page swaps with'
  | 'The deadline is more than an hour away'
  | 'The path of the swap is malformed'
  | 'The permit is for another token, amount or spender'
  | 'The permit is not JSON'
  | 'The permit is not for this swap'
  | 'The quote names no contract to approve'
  | 'The router is called in an unexpected way'
  | 'The router keeps a part of the output'
  | 'The router keeps more than one percent'
  | 'The router may sell only a part'
  | 'The router pays another account'
  | 'The router pays another token'
  | 'The router pays no account'
  | 'The router swaps nothing'
  | 'The router takes another token'
  | 'The router takes more than is sold'
  | 'The router takes the tokens from the wrong account'
  | 'The router trades another token'
  | 'The router would truncate the minimum'
  | 'The router wraps another amount'
  | 'The swap may pay less than was promised'
  | 'The swap takes another amount'
  | 'The transaction is for another network'
  | 'The wrapped token is called in an unexpected way'
  | 'This page supports no exchange on the network'
  | 'This page supports no router that uses Permit2'
  | 'Your wallet did not find the contract in the registry of 0x'

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
