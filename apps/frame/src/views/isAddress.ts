/** Reports whether a text is an address of an EVM or Solana chain. */
export function isAddress(text: string): boolean {
  return /^0x[\da-f]{40}$/i.test(text) || /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)
}
