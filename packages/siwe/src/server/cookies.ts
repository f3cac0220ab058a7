/** Returns a `Set-Cookie` header for a value that scripts cannot read. `expiresAt` is RFC 3339. */
export function setCookie(name: string, value: string, expiresAt: string, secure: boolean): string {
  return `${name}=${value}; Expires=${new Date(expiresAt).toUTCString()}; ${attributes(secure)}`
}

/** Returns a `Set-Cookie` header that deletes a cookie. */
export function clearCookie(name: string, secure: boolean): string {
  return `${name}=; Max-Age=0; ${attributes(secure)}`
}

function attributes(secure: boolean): string {
  return `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}

/** Returns the value of a cookie in a `Cookie` header; undefined if the header does not have it. */
export function readCookie(header: string | null, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const [key, value] = pair.trim().split('=', 2)
    if (key === name && value) return value
  }
  return undefined
}
