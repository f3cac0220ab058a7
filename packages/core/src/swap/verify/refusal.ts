/** The gateway's answer differs from what the visitor confirmed; the wallet is not prompted. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError'
}

/** @throws VerificationError */
export function refuse(why: string): never {
  throw new VerificationError(why)
}
