import { plainText } from '@hawser/client'
import type { SavedAccount, SavedConnection } from '../types/connectionCookie.ts'
import type { CaipAddress, CaipNetworkId } from '../types/network.ts'

const NAME = 'hawser-connection'

/** A year in seconds; browsers keep a cookie for 400 days at most (RFC 6265bis). */
const MAX_AGE_S = 31_536_000

/** The most accounts that are read: one for each namespace. */
const MOST_ACCOUNTS = 4

/** The longest name of a domain (RFC 1035). */
const LONGEST_NAME = 255

const NETWORK = /^(eip155|solana|bip122|polkadot):[-_a-zA-Z0-9]{1,32}$/
const ADDRESS = /^(eip155|solana|bip122|polkadot):[-_a-zA-Z0-9]{1,32}:[-.%a-zA-Z0-9]{1,128}$/

/**
 * Reads the connection that the page has saved, on a server.
 *
 * @param header the `Cookie` header of the request.
 * @returns the parameter of `connectionCookie`; undefined without the cookie, or if it is malformed. Visitors can write their own cookies: it is
 *   for display, and proves nothing.
 */
export function readConnectionCookie(header: string | null | undefined): SavedConnection | undefined {
  for (const pair of header?.split(';') ?? []) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === NAME && value) return parse(value)
  }
  return undefined
}

/** Returns the cookie in the form of `document.cookie`; that of undefined deletes it. */
export function formatCookie(saved: SavedConnection | undefined, isSecure: boolean): string {
  const value = saved ? encodeURIComponent(JSON.stringify(saved)) : ''
  return `${NAME}=${value}; Path=/; Max-Age=${saved ? MAX_AGE_S : 0}; SameSite=Lax${isSecure ? '; Secure' : ''}`
}

function parse(value: string): SavedConnection | undefined {
  try {
    const { network, accounts } = JSON.parse(decodeURIComponent(value))
    if (!matches(network, NETWORK) || !Array.isArray(accounts)) return undefined
    return { network: network as CaipNetworkId, accounts: accounts.slice(0, MOST_ACCOUNTS).flatMap(account) }
  } catch {
    return undefined
  }
}

function account({ caipAddress, name }: Record<string, unknown>): SavedAccount[] {
  if (!matches(caipAddress, ADDRESS)) return []
  const shown = typeof name === 'string' ? plainText(name).slice(0, LONGEST_NAME) : ''
  return [{ caipAddress: caipAddress as CaipAddress, ...(shown && { name: shown }) }]
}

function matches(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value)
}
