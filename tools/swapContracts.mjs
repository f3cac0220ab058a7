// Writes packages/core/src/swap/verify/contracts.gen.ts, the contracts that the page lets a swap call, from the tables that are inside the
// gateway: the routers of venues.yaml and the vendors' contracts. Vendors whose calls the page cannot read are left out, so that their
// transactions are refused.
//   node tools/swapContracts.mjs
import { readFile, writeFile } from 'node:fs/promises'
import { parse } from 'yaml'

const convert = new URL('../services/convert/', import.meta.url)
const target = new URL('../packages/core/src/swap/verify/contracts.gen.ts', import.meta.url)

/** 0x is missing: its call names a contract that changes every few weeks, to which it gives the whole amount. */
const readable = ['1inch', 'kyberswap', 'lifi', 'openocean', 'velora']

const venues = parse(await readFile(new URL('venues/venues.yaml', convert), 'utf8'))
const vendors = parse(await readFile(new URL('vendors/contracts.yaml', convert), 'utf8'))

const chains = Object.fromEntries(
  Object.entries(venues).map(([id, { wrapped, venues }]) => [
    id,
    {
      wrapped,
      routers: Object.fromEntries([...venues.map(({ router, kind }) => [router, kind]), ...vendorsOn(id)]),
    },
  ]),
)
const source = [
  '// Generated from services/convert by tools/swapContracts.mjs. DO NOT EDIT.',
  "import type { SwapContracts } from '../../types/swapContracts.ts'",
  `/** By CAIP-2 id. */\nexport const builtInContracts: Readonly<Record<string, SwapContracts>> = ${JSON.stringify(chains, null, 2)}`,
]
await writeFile(target, `${source.join('\n\n')}\n`)

function vendorsOn(id) {
  return readable.flatMap((vendor) =>
    Object.entries(vendors[vendor]).flatMap(([address, ids]) =>
      ids.includes(id) ? [[address, vendor]] : [],
    ),
  )
}
