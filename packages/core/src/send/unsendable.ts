/** Why a transfer would fail, as a sentence for the visitor; pages translate it as a whole. */
export type SendRefusal =
  | 'The receiver’s token account belongs to another owner'
  | 'The receiver is a program'
  | 'The receiver is not an account of this token'
  | 'The receiver is not a wallet'
  | 'The token accounts do not cover the amount'
  | 'The token has no mint'

/** A transfer that would fail, as the accounts on the chain show. */
export class UnsendableError extends Error {
  override readonly name = 'UnsendableError'

  constructor(readonly why: SendRefusal) {
    super(why)
  }
}
