// Writes packages/core/src/networks.gen.ts from the network tables that are inside the gateway, so that the page and
// the gateway name networks alike. Each network is an export of its own: a page ships the ones it lists. None names a node:
// wallets that do not know a network are given the gateway's own JSON-RPC address.
//   node tools/networks.mjs
import { readFile, writeFile } from 'node:fs/promises'
import { parse } from 'yaml'

const tables = ['networks.yaml', 'networks.gen.yaml'].map(
  (name) => new URL(`../services/chains/${name}`, import.meta.url),
)
const target = new URL('../packages/core/src/networks.gen.ts', import.meta.url)

const networks = (await Promise.all(tables.map(async (table) => parse(await readFile(table, 'utf8'))))).flat()
const source = [
  '// Generated from services/chains/networks.yaml and networks.gen.yaml by tools/networks.mjs. DO NOT EDIT.',
  "import { defineNetwork } from './network/network.ts'\nimport type { Network } from './types/network.ts'",
  ...networks.map(declaration),
]
await writeFile(target, `${source.join('\n\n')}\n`)

function declaration(entry) {
  return `/** ${entry.name}, \`${entry.chain_id}\`. */\nexport const ${entry.key}: Network = /* @__PURE__ */ defineNetwork(${JSON.stringify(definition(entry), null, 2)})`
}

function definition({ chain_id, key, name, native, explorers = [], testnet = false }) {
  const [namespace, reference] = chain_id.split(':')
  const [explorer] = explorers
  return {
    id: namespace === 'eip155' ? Number(reference) : reference,
    name,
    network: key,
    chainNamespace: namespace,
    nativeCurrency: native,
    ...(explorer && { blockExplorers: { default: explorer } }),
    testnet,
  }
}
