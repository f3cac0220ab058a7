/** A transfer that would fail, as the accounts on the chain show. Its message is a sentence for the visitor. */
export class UnsendableError extends Error {
  override readonly name = 'UnsendableError'
}
