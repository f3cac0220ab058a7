/** Reports whether this is a phone or tablet, where wallets are apps and not extensions. */
export function isPhone(
  { userAgent = '', maxTouchPoints = 0 }: Partial<Navigator> = globalThis.navigator ?? {},
): boolean {
  // An iPad reports the platform of a Mac; no Mac has a touch screen.
  return /Android|iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
}
