/**
 * Returns the `traceparent` header of a call (https://www.w3.org/TR/trace-context/): random ids, and no flag, because a page records
 * nothing itself.
 */
export function createTraceparent(): string {
  const ids = crypto.getRandomValues(new Uint8Array(24))
  const hex = Array.from(ids, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `00-${hex.slice(0, 32)}-${hex.slice(32)}-00`
}
