// Writes gateway/marks/svg and gateway/marks/index.json: the marks of networks, tokens, wallets and sellers that the gateway serves.
//   npm install --prefix tools/marks && node tools/marks/build.mjs
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tokens as known } from '@web3icons/common/metadata'
import { parse } from 'yaml'
import { clean } from './clean.mjs'
import { letterMark } from './letters.mjs'

const root = new URL('../../', import.meta.url)
const target = new URL('gateway/marks/', root)

/** Drawings of more bytes are left out: a mark is shown at 40 pixels. */
const MARK_BYTES = 30_000
/** Ground of wrapped currencies, so that they differ from the currencies themselves. */
const WRAPPED_GROUND = '#E9EAF2'

/** What the package calls the chains whose token lists are here. */
const chainNames = {
  'eip155:1': 'ethereum',
  'eip155:10': 'optimistic-ethereum',
  'eip155:56': 'binance-smart-chain',
  'eip155:100': 'xdai',
  'eip155:137': 'polygon-pos',
  'eip155:250': 'fantom',
  'eip155:324': 'zksync',
  'eip155:1313161554': 'aurora',
  'eip155:8217': 'klay-token',
  'eip155:8453': 'base',
  'eip155:42161': 'arbitrum-one',
  'eip155:43114': 'avalanche',
}

const handKept = JSON.parse(await readFile(new URL('hand-kept.json', import.meta.url), 'utf8'))
const tables = ['networks.yaml', 'networks.gen.yaml'].map((name) => new URL(`services/chains/${name}`, root))
const networks = (await Promise.all(tables.map(async (table) => parse(await readFile(table, 'utf8'))))).flat()

/** SVG text by path below svg/, without the extension. @type {Map<string, string>} */
const files = new Map()
/** @type {{ networks: Record<string, string>, tokens: Record<string, Record<string, string>>, sellers: Record<string, string>, wallets: Record<string, string> }} */
const index = { networks: {}, tokens: {}, sellers: {}, wallets: {} }

for (const { chain_id, key, name, native } of networks) {
  index.networks[chain_id] = await networkMark(key, name)
  index.tokens[chain_id] = await tokenMarks(chain_id, native)
}
const sandbox = new URL('services/development/sandbox/seller/marks/', root)
for (const file of (await readdir(sandbox)).sort()) {
  const name = file.replace('.svg', '')
  index.sellers[name] = keep(`sellers/${name}`, await readFile(new URL(file, sandbox), 'utf8'))
}
const wallets = parse(await readFile(new URL('services/directory/wallets.yaml', root), 'utf8'))
for (const { key, name } of wallets) {
  const known = handKept.wallets[key]
  const svg = known ? await drawing('wallets', 'background', known) : letterMark(key, name)
  index.wallets[key] = keep(`wallets/${key}`, svg)
}
index.sellers.coinbase = keep('sellers/coinbase', await drawing('exchanges', 'background', 'coinbase'))

await rm(new URL('svg/', target), { recursive: true, force: true })
for (const [path, svg] of files) {
  const file = new URL(`svg/${path}.svg`, target)
  await mkdir(new URL('./', file), { recursive: true })
  await writeFile(file, svg)
}
await writeFile(new URL('index.json', target), `${JSON.stringify(index, null, 1)}\n`)
const bytes = [...files.values()].reduce((sum, svg) => sum + svg.length, 0)
const rows = Object.values(index.tokens).reduce((sum, group) => sum + Object.keys(group).length, 0)
console.log(
  `marks: ${files.size} drawings of ${bytes} bytes for ${networks.length} networks, ${wallets.length} wallets and ${rows} tokens`,
)

/** The mark of a network of the tables: of the package, one of our own, or its first letter. @param {string} key @param {string} title */
async function networkMark(key, title) {
  const name = handKept.networks[key]
  if (name) return keep(`networks/${name}`, await drawing('networks', 'background', name))
  const own = key.replace(/[A-Z]+/g, (letters) => `-${letters.toLowerCase()}`)
  const found = await readFile(new URL(`own/${own}.svg`, import.meta.url), 'utf8').catch(() => undefined)
  return keep(`networks/${own}`, found ?? letterMark(key, title))
}

/** The marks of a chain's native currency and of its listed tokens, by lower-case address. @param {string} chainId */
async function tokenMarks(chainId, native) {
  const marks = {}
  const symbol = handKept.natives[native.symbol]
  marks.native = symbol
    ? keep(symbol.toLowerCase(), await drawing(...variant(symbol, 'background')))
    : keep(`natives/${native.symbol.toLowerCase()}`, letterMark(native.symbol, native.name))
  for (const token of await listOf(chainId)) {
    const path = await tokenMark(chainId, token)
    if (path) marks[token.address.toLowerCase()] = path
  }
  return marks
}

async function listOf(chainId) {
  const file = new URL(`services/onchain/tokens/lists/${chainId.replace(':', '-')}.json`, root)
  return JSON.parse(await readFile(file, 'utf8').catch(() => '[]'))
}

async function tokenMark(chainId, token) {
  const wrapped = handKept.wrapped[token.symbol]
  if (wrapped) {
    const svg = clean(await drawing(...variant(wrapped, 'branded')))
    return keep(`wrapped/${wrapped.split('/')[1].toLowerCase()}`, onGround(svg))
  }
  const path = handKept.tokens[token.symbol] ?? pathOf(chainId, token)
  const svg = path && (await drawing(...variant(path, 'background')))
  if (!svg || svg.length > MARK_BYTES) return undefined
  return keep(path.toLowerCase(), svg)
}

/**
 * Which drawing of the package a listed token has, such as tokens/LINK: its symbol must be the same, and so must its address there or
 * its name. Neither alone is enough: symbols are used twice, and some addresses there belong to other tokens.
 */
function pathOf(chainId, { address, symbol, name }) {
  const plain = symbol.toUpperCase().replace(/\.E$/, '')
  const found = known.find(
    (token) =>
      token.filePath.startsWith('token:') &&
      token.symbol.toUpperCase() === plain &&
      (token.addresses?.[chainNames[chainId]]?.toLowerCase() === address.toLowerCase() ||
        bare(token.name) === bare(name)),
  )
  return found && `tokens/${found.filePath.slice('token:'.length)}`
}

/** A token's name without what lists add to it. @param {string} name */
function bare(name) {
  return name
    .toLowerCase()
    .replace(/\(.*?\)|binance-peg|\b(token|coin|protocol|network|dao|finance)\b/g, '')
    .replace(/[^a-z0-9]/g, '')
}

/** @param {string} path such as tokens/ETH @param {string} variant */
function variant(path, variant) {
  const [kind, name] = path.split('/')
  return [kind, variant, name]
}

/** One drawing of the package; undefined where it has none. */
async function drawing(kind, variant, name) {
  const module = await import(`@web3icons/core/svgs/${kind}/${variant}/${name}.svg.js`).catch(() => undefined)
  return module?.default
}

/** @param {string} svg */
function onGround(svg) {
  return svg.replace('>', `><path fill="${WRAPPED_GROUND}" d="M0 0h24v24H0z"/>`)
}

/** Keeps a drawing under a path, and returns the path. @param {string} path @param {string} svg */
function keep(path, svg) {
  if (!svg) throw new Error(`no drawing for ${path}`)
  const cleaned = cleanNamed(path, svg)
  if ((files.get(path) ?? cleaned) !== cleaned) throw new Error(`two drawings for ${path}`)
  files.set(path, cleaned)
  return path
}

function cleanNamed(path, svg) {
  try {
    return clean(svg)
  } catch (error) {
    throw new Error(`${path}: ${error.message}`)
  }
}
