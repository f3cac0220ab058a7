/** Returns the host of an issuer, by which an operator knows the identity provider. */
export function hostOf(issuer: string): string {
  return URL.parse(issuer)?.hostname ?? issuer
}
