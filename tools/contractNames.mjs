// Writes services/onchain/contracts/contracts.gen.json, the names of well-known contracts by CAIP-2 chain id and address, from the tables that are inside
// the services: exchanges and their factories, wrapped native currencies, the vendors' contracts, and what kept.yaml adds. Writes spenders.gen.json as
// well, the contracts that may take tokens, those that anyone commands, vaults and wrapped native currencies.
//   node tools/contractNames.mjs
import { readFile, writeFile } from 'node:fs/promises'
import { parse } from 'yaml'

const services = new URL('../services/', import.meta.url)
const read = async (path) => parse(await readFile(new URL(path, services), 'utf8'))
const names = {}
const spenders = { trusted: {}, vaults: {}, public: {}, wrapped: {} }
function mark(table, chain, address) {
  spenders[table][chain] ??= []
  if (address && !spenders[table][chain].includes(address)) spenders[table][chain].push(address)
}
// The first name of an address is kept, so the tables with the most specific names come first.
function add(chain, address, name) {
  names[chain] ??= {}
  if (address) names[chain][address] ??= name
}

for (const { name, address, chains, spender, vault } of await read('onchain/contracts/kept.yaml')) {
  for (const chain of chains) {
    if (name) add(chain, address, name)
    if (spender) mark(spender, chain, address)
    if (vault) mark('vaults', chain, address)
  }
}
const symbols = Object.fromEntries(
  (await read('chains/networks.yaml')).map((n) => [n.chain_id, n.native.symbol]),
)
for (const [chain, { wrapped, venues, universal }] of Object.entries(
  await read('onchain/dex/exchanges.yaml'),
)) {
  add(chain, wrapped, `Wrapped ${symbols[chain] ?? 'native currency'}`)
  mark('wrapped', chain, wrapped)
  for (const { name, router, v2, v3, algebra } of venues) {
    add(chain, router, name)
    mark('trusted', chain, router)
    for (const pools of [v2, v3, algebra]) {
      add(chain, pools?.factory, `${name} factory`)
      mark('public', chain, pools?.factory)
    }
  }
  add(chain, universal?.router, `Uniswap ${universal?.name}`)
  mark('trusted', chain, universal?.router)
}
for (const [vendor, contracts] of Object.entries(await read('convert/vendors/contracts.yaml'))) {
  for (const [address, chains] of Object.entries(contracts)) {
    for (const chain of chains) {
      add(chain, address, vendor)
      // The registry of 0x is read, and takes nothing.
      if (vendor !== '0x registry') mark('trusted', chain, address)
    }
  }
}
const write = (path, table) => writeFile(new URL(path, services), `${JSON.stringify(table, null, 2)}\n`)
await write('onchain/contracts/contracts.gen.json', names)
await write('onchain/contracts/spenders.gen.json', spenders)
