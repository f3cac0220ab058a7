// Writes packages/core/src/swap/verify/contracts.gen.ts, the contracts that the page lets a swap call, from the tables that are inside the
// gateway: the routers of exchanges.yaml and the vendors' contracts, and the registry in which the page looks up the Settlers of 0x.
//   node tools/swapContracts.mjs
import { readFile, writeFile } from 'node:fs/promises'
import { parse } from 'yaml'

const convert = new URL('../services/convert/', import.meta.url)
const target = new URL('../packages/core/src/swap/verify/contracts.gen.ts', import.meta.url)

const venues = parse(await readFile(new URL('../onchain/dex/exchanges.yaml', convert), 'utf8'))
const { '0x registry': registry, ...vendors } = parse(
  await readFile(new URL('vendors/contracts.yaml', convert), 'utf8'),
)

const chains = Object.fromEntries(
  Object.entries(venues).map(([id, { wrapped, venues, universal }]) => [
    id,
    {
      wrapped,
      routers: Object.fromEntries([
        ...venues.map(({ router, kind }) => [router, kind]),
        ...(universal ? [[universal.router, 'universal-router']] : []),
        ...vendorsOn(id),
      ]),
    },
  ]),
)
const source = [
  '// Generated from services/convert by tools/swapContracts.mjs. DO NOT EDIT.',
  "import type { SwapContracts } from '../../types/swapContracts.ts'",
  `/** By CAIP-2 id. */\nexport const builtInContracts: Readonly<Record<string, SwapContracts>> = ${JSON.stringify(chains, null, 2)}`,
  `/** 0x's registry of Settlers, at the same address on every network. */\nexport const settlerRegistry = '${Object.keys(registry)[0]}'`,
]
await writeFile(target, `${source.join('\n\n')}\n`)

function vendorsOn(id) {
  return Object.entries(vendors).flatMap(([vendor, contracts]) =>
    Object.entries(contracts).flatMap(([address, ids]) => (ids.includes(id) ? [[address, vendor]] : [])),
  )
}
