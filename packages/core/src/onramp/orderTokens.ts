import { items } from '../storage/items.ts'
import type { Hawser } from '../types/hawser.ts'

/** Maximum of tokens that are kept; the gateway accepts as many. */
const MOST_TOKENS = 64

/** Form of a token; other stored values are ignored. */
const FORM = /^[\w-]{22}$/

/**
 * Returns the tokens of the purchases of this browser, newest first. They are sent to the gateway only, in a header.
 */
export function orderTokens(hawser: Hawser): readonly string[] {
  const kept = hawser.storage.read<unknown>(items.orderTokens)
  return Array.isArray(kept) ? kept.filter((token) => FORM.test(String(token))).slice(0, MOST_TOKENS) : []
}

/** Returns the header that authorizes reading orders; a header, because URLs are logged. */
export function orderTokensHeader(tokens: readonly string[]): Readonly<Record<string, string>> {
  return tokens.length > 0 ? { 'Hawser-Order-Tokens': tokens.join(',') } : {}
}

/** Stores the token of a new purchase, whose updates are then pushed too. */
export function keepOrderToken(hawser: Hawser, token: string): void {
  if (!FORM.test(token)) return
  hawser.storage.write(items.orderTokens, [token, ...orderTokens(hawser)].slice(0, MOST_TOKENS))
  hawser.push.setState(({ orderTokens: count }) => ({ orderTokens: count + 1 }))
}
