/** A session cannot be requested, granted or revoked. The message is for developers. */
export class SmartSessionError extends Error {
  override readonly name = 'SmartSessionError'
}
