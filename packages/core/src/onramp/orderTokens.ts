import { items } from '../storage/items.ts'
import type { Hawser } from '../types/hawser.ts'

/** The gateway counts as many; the oldest are dropped. */
const MOST_TOKENS = 64

/** A token as the gateway makes it; what else the storage holds is none. */
const FORM = /^[\w-]{22}$/

/** Tokens of the purchases that this browser began, the newest first. They are told to nobody but the gateway, in a header. */
export function orderTokens(hawser: Hawser): readonly string[] {
  const kept = hawser.storage.read<unknown>(items.orderTokens)
  return Array.isArray(kept) ? kept.filter((token) => FORM.test(String(token))).slice(0, MOST_TOKENS) : []
}

/** Returns the header that shows orders to those who have their tokens; a header, because URLs are logged. */
export function orderTokensHeader(tokens: readonly string[]): Readonly<Record<string, string>> {
  return tokens.length > 0 ? { 'Hawser-Order-Tokens': tokens.join(',') } : {}
}

/** Keeps the token of a purchase that was just begun, and has the gateway tell of that purchase too. */
export function keepOrderToken(hawser: Hawser, token: string): void {
  if (!FORM.test(token)) return
  hawser.storage.write(items.orderTokens, [token, ...orderTokens(hawser)].slice(0, MOST_TOKENS))
  hawser.push.setState(({ orderTokens: count }) => ({ orderTokens: count + 1 }))
}
