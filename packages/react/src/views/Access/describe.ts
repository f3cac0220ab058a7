import { type Approval, formatUnits, plainAddress, shortenAddress } from '@hawser/core'
import type { Texts } from '@hawser/texts/modal/texts'

/** Returns the symbol of the token, or its name, or that it has none. */
export function tokenName({ token }: Approval, texts: Texts['access']): string {
  return token.symbol || token.name || texts.unnamed
}

/** Returns the name of a well-known spender; else its address, with more digits than can be forged. */
export function spenderName({ spender }: Approval): string {
  return spender.name || shortenAddress(plainAddress(spender.address), { start: 10, end: 8 })
}

/** Returns what the spender may take as a text: undefined for an amount. */
export function mayTakeText(
  { kind, unlimited, tokenId }: Approval,
  texts: Texts['access'],
): string | undefined {
  if (kind === 'operator') return texts.everyNft
  if (kind === 'nft') return texts.oneNft(tokenId)
  return unlimited ? texts.unlimited : undefined
}

/** Returns base units of the approved token, or a number of NFTs, as an exact decimal. */
export function wholeAmount({ token }: Approval, units: string): string {
  return formatUnits(BigInt(units || 0), token.decimals)
}

/** Returns when an approval ends, in Unix milliseconds; undefined for never. */
export function expiryOf({ expiresAt }: Approval): number | undefined {
  return Number(expiresAt) * 1_000 || undefined
}
