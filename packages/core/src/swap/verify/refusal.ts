/** What the gateway answered is not what the visitor agreed to: the wallet is not asked. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError'
}

/** @throws VerificationError */
export function refuse(why: string): never {
  throw new VerificationError(why)
}
