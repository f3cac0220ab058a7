/** What the sign-in page offers beside links and passkeys. */
export interface SignInOptions {
  /** Name of the identity provider; empty for none. */
  readonly provider: string
}

/** Reads what the server offers. Without an answer it is nothing: a link works all the same. */
export async function readSignInOptions(): Promise<SignInOptions> {
  const none = { provider: '' }
  try {
    const answer = await fetch('/sign-in.json', { credentials: 'same-origin', cache: 'no-store' })
    if (!answer.ok) return none
    const { provider } = await answer.json()
    return typeof provider === 'string' ? { provider } : none
  } catch {
    return none
  }
}
