import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { openInWalletUrl } from '../../packages/core/src/walletLinks/walletLinks.ts'

interface Wallet {
  readonly name: string
  readonly browser?: string
  readonly browser_scheme?: string
}

const directory = new URL('../../services/directory/wallets.yaml', import.meta.url)
const wallets: readonly Wallet[] = parse(readFileSync(directory, 'utf8'))
const links = wallets.flatMap(({ name, browser, browser_scheme }) => {
  const open = browser ?? browser_scheme
  return open ? [[name, open] as const] : []
})
const { href: page } = new URL('https://läden.test/zürich?item=1&size=größe&to=%26#pay')

test.each(links)('the link of %s carries a page with a query to its app unchanged', (_, open) => {
  const link = openInWalletUrl({ open }, page) ?? ''
  expect(link).not.toMatch(/[{}]/)
  expect(carries(link)).toBe(true)
})

/** Reports whether a text is the page, or a URL, JSON or base64 with it. An app reads it out of those. */
function carries(text: string): boolean {
  // One link has the page at its end without the scheme, and one in a query that is not encoded.
  if (text === page || text === `url=${page}&defaultChainId=1`) return true
  if (text.endsWith(`/dapp/${page.slice('https://'.length)}`)) return true
  return parts(text).some(carries)
}

function parts(text: string): readonly string[] {
  if (/^[\w-]+:\/\//.test(text)) {
    const { pathname, search } = new URL(text)
    // Not searchParams, which take a plus in base64 for a space.
    const values = search.split(/[?&]/).map((pair) => pair.slice(pair.indexOf('=') + 1))
    return [...values, ...pathname.split('/')].map(decodeURIComponent)
  }
  if (text.startsWith('{')) return Object.values(JSON.parse(text))
  return text !== '' && /^[\w+/]+={0,2}$/.test(text) && text.length % 4 === 0 ? [atob(text)] : []
}
