/**
 * Returns the picture that a wallet announces, if it is a data URL of an image, as EIP-6963 requires: any other URL would
 * send a request to a host of the wallet's choice. White space around it is no part of it.
 */
export function iconOf(icon: unknown): string | undefined {
  const url = typeof icon === 'string' ? icon.trim() : ''
  return /^data:image\//i.test(url) ? url : undefined
}
