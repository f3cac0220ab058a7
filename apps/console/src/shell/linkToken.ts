/** Matches the token in the fragment of a sign-in link, as `/login#0123…`. */
const token = /^#([0-9a-f]{64})$/

/**
 * Takes the token of a one-time link out of the address, and removes it there, so that neither the history nor a
 * screenshot keeps it. Returns undefined without one.
 */
export function takeLinkToken(
  { hash }: Pick<Location, 'hash'>,
  history: Pick<History, 'replaceState'>,
): string | undefined {
  const found = token.exec(hash)?.[1]
  if (found) history.replaceState(null, '', '/')
  return found
}
