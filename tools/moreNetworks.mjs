// Writes services/chains/networks.gen.yaml: the EVM networks that are used most beside those of networks.yaml, as viem describes them. No node is taken from
// there: an operator names nodes in chains.nodes.
//   node tools/moreNetworks.mjs
import { readFile, writeFile } from 'node:fs/promises'
import { parse } from 'yaml'

/** @type {Record<string, import('viem').Chain>} */
const chains = { ...(await import('viem/chains')) }
const folder = new URL('../services/chains/', import.meta.url)

/** Names of the networks in viem. With the mainnets of networks.yaml they are forty. */
const wanted = [
  'linea',
  'scroll',
  'blast',
  'mantle',
  'mode',
  'celo',
  'sonic',
  'berachain',
  'unichain',
  'worldchain',
  'ink',
  'soneium',
  'abstract',
  'zora',
  'taiko',
  'opBNB',
  'cronos',
  'metis',
  'moonbeam',
  'arbitrumNova',
  'sei',
  'ronin',
  'hyperEvm',
  'plasma',
  'monad',
  'fraxtal',
  'apeChain',
  'xLayer',
]

/** Until a block is final there, where it is later than the 20 minutes that are assumed: batches go to Ethereum, and proofs of ZK rollups come later. */
const finalAfter = {
  linea: '12h',
  scroll: '6h',
  abstract: '3h',
  ...Object.fromEntries(
    [
      'blast',
      'mantle',
      'mode',
      'unichain',
      'worldchain',
      'ink',
      'soneium',
      'zora',
      'taiko',
      'metis',
      'arbitrumNova',
      'fraxtal',
      'apeChain',
      'celo',
      'xLayer',
      'opBNB',
    ].map((name) => [name, '30m']),
  ),
}

const builtIn = parse(await readFile(new URL('networks.yaml', folder), 'utf8'))
const known = new Set(builtIn.map(({ chain_id }) => chain_id))
const lines = wanted.map((key) => {
  const chain = chains[key]
  if (!chain) throw new Error(`viem has no ${key}`)
  const id = `eip155:${chain.id}`
  if (known.has(id)) throw new Error(`networks.yaml has ${key}, ${id}`)
  if (chain.testnet) throw new Error(`${key} is a test network`)
  known.add(id)
  const { name, symbol, decimals } = chain.nativeCurrency
  const explorer = chain.blockExplorers?.default
  return `- {${[
    `chain_id: "${id}"`,
    `key: ${key}`,
    `name: ${quoted(chain.name)}`,
    `native: {name: ${quoted(name)}, symbol: ${quoted(symbol)}, decimals: ${decimals}}`,
    ...(explorer
      ? [`explorers: [{name: ${quoted(explorer.name)}, url: ${quoted(explorer.url.replace(/\/$/, ''))}}]`]
      : []),
    ...(chain.blockTime ? [`block_time: ${chain.blockTime}ms`] : []),
    ...(finalAfter[key] ? [`final_after: ${finalAfter[key]}`] : []),
  ].join(', ')}}`
})
await writeFile(
  new URL('networks.gen.yaml', folder),
  `# Generated from viem's chains by tools/moreNetworks.mjs. DO NOT EDIT. networks.yaml explains the fields. None has a node: chains.nodes names it.\n${lines.join('\n')}\n`,
)

/** @param {string} text */
function quoted(text) {
  return JSON.stringify(text)
}
