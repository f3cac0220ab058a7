import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

interface Wallet {
  readonly name: string
  readonly browser?: string
  readonly browser_scheme?: string
  readonly relays?: readonly string[]
  readonly sources: readonly string[]
}

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const wallets = parse(read('services/directory/wallets.yaml')) as readonly Wallet[]
const page = read('docs/build/wallets.md')

/** Returns the cells of the rows of the table whose head begins with a cell. */
function tableOf(head: string): string[][] {
  const [, body = ''] = page.split(new RegExp(`^\\| ${head} \\|.*\\n\\|[-|]+\\n`, 'm'))
  const rows = body.split('\n\n')[0]?.split('\n') ?? []
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

const listed = tableOf('wallet').map(([name = '', link = '', , source = '']) => ({
  wallet: wallets.find((wallet) => wallet.name === name),
  name,
  link,
  source: /\((.+)\)/.exec(source)?.[1],
}))

test('the table of forty wallets has the links and the sources of the directory', () => {
  expect(new Set(listed.map(({ name }) => name)).size).toBe(40)
  for (const { wallet, name, link, source } of listed) {
    expect(wallet, name).toBeDefined()
    const scheme = wallet?.browser_scheme?.match(/^\w+:\/\//)?.[0]
    expect(link, name).toBe(wallet?.browser ? 'https' : scheme ? `\`${scheme}\`` : '')
    if (link) expect(wallet?.sources, name).toContain(source)
    else expect(source, name).toBeUndefined()
  }
})

test('the table of reach counts them', () => {
  const count = (isReached: (wallet: Wallet) => unknown) =>
    String(listed.filter(({ wallet }) => wallet && isReached(wallet)).length)
  const by = (relay: string) => (wallet: Wallet) => wallet.relays?.includes(relay)
  const link = ({ browser }: Wallet) => browser
  const anyLink = ({ browser, browser_scheme }: Wallet) => browser ?? browser_scheme
  expect(tableOf('with').map(([, ...counts]) => counts)).toEqual([
    [count(by('own')), count(by('own'))],
    [count((each) => by('own')(each) || link(each)), count((each) => by('own')(each) || anyLink(each))],
    [count(by('public')), count(by('public'))],
    [count((each) => by('public')(each) || link(each)), count((each) => by('public')(each) || anyLink(each))],
  ])
})
