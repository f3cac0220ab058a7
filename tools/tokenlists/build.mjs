import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import * as aave from '@bgd-labs/aave-address-book'
import * as pancake from '@pancakeswap/tokens'
import * as sushi from 'sushi/evm'
import { checksumAddress, isAddress } from 'viem'

/**
 * @typedef {object} Token
 * @property {string} address
 * @property {string} symbol
 * @property {string} name
 * @property {number} decimals
 * @property {boolean} [oracle] the chain's Aave oracle prices it
 */

const target = new URL('../../services/onchain/tokens/lists/', import.meta.url)
const limit = 300

/** Chain id to the Aave market whose oracle prices are read there. */
const chains = new Map([
  [1, aave.AaveV3Ethereum],
  [10, aave.AaveV3Optimism],
  [56, aave.AaveV3BNB],
  [100, aave.AaveV3Gnosis],
  [137, aave.AaveV3Polygon],
  [250, undefined],
  [324, aave.AaveV3ZkSync],
  [8217, undefined],
  [8453, aave.AaveV3Base],
  [42161, aave.AaveV3Arbitrum],
  [43114, aave.AaveV3Avalanche],
  [1313161554, undefined],
])

/** Symbols that stand first, in this order. */
const majors = 'WETH WBNB WPOL WMATIC WAVAX WXDAI WFTM WKAIA USDC USDT USDC.e USDbC DAI WBTC wstETH'.split(
  ' ',
)

/** Contracts that only show the native currency under an address: it would be counted twice. */
const natives = new Set([
  '0x0000000000000000000000000000000000001010',
  '0x000000000000000000000000000000000000800a',
  '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
])

/**
 * Pool shares and dated principal tokens: they are not used for payments, and their value is not that of their
 * symbol.
 */
const shares =
  /^(UNI-V2|SLP|3Crv|crvFRAX|crvRenWSBTC|PT-.*|.*-LP|.*BPT.*|G-UNI|a(Eth|Arb|Opt|Pol|Bas|Ava|Bnb|Gno)[A-Z].*)$/

/** Lost its backing in 2023. */
const worthless = new Set(['250:0x04068da6c83afcfa0e13ba15a6696662335d5b75'])

const handKept = JSON.parse(await readFile(new URL('hand-kept.json', import.meta.url), 'utf8'))
const aaveList = new URL('node_modules/@bgd-labs/aave-address-book/tokenlist.json', import.meta.url)
const { tokens: aaveTokens } = JSON.parse(await readFile(aaveList, 'utf8'))

/** @param {number} chainId @returns {Token[]} */
function fromAave(chainId) {
  return aaveTokens.filter((token) => token.chainId === chainId && token.tags.includes('underlying'))
}

/** @param {number} chainId @returns {Token[]} */
function fromSushi(chainId) {
  const maps = Object.values(sushi).filter((value) => value && typeof value === 'object' && chainId in value)
  return maps.map((map) => map[chainId]).filter((token) => token && typeof token.symbol === 'string')
}

/** @param {number} chainId @returns {Token[]} */
function fromPancake(chainId) {
  const lists = Object.entries(pancake).filter(([name]) => name.endsWith('Tokens') && name !== 'solanaTokens')
  return lists.flatMap(([, list]) => Object.values(list)).filter((token) => token.chainId === chainId)
}

/** @param {Token} token */
function sound({ address, symbol, name, decimals }) {
  const words = [symbol, name].every((text) =>
    /^[\x21-\x7e\u00a1-\uffff][\x20-\x7e\u00a1-\uffff]{0,63}$/.test(text ?? ''),
  )
  if (shares.test(symbol)) return false
  return (
    isAddress(address, { strict: false }) &&
    words &&
    Number.isInteger(decimals) &&
    decimals >= 0 &&
    decimals <= 36
  )
}

/** @param {Token} token */
function rank(token) {
  const place = majors.indexOf(token.symbol)
  if (place >= 0) return place
  return token.oracle ? majors.length : majors.length + 1
}

/** @param {number} chainId @param {typeof aave.AaveV3Ethereum | undefined} market */
function build(chainId, market) {
  const priced = new Set(Object.values(market?.ASSETS ?? {}).map((asset) => asset.UNDERLYING.toLowerCase()))
  const found = new Map()
  const sources = [handKept[chainId] ?? [], fromAave(chainId), fromSushi(chainId), fromPancake(chainId)]
  for (const token of sources.flat()) {
    const key = token.address?.toLowerCase()
    if (!sound(token) || natives.has(key) || worthless.has(`${chainId}:${key}`) || found.has(key)) continue
    const { symbol, name, decimals } = token
    found.set(key, {
      address: checksumAddress(key),
      symbol,
      name,
      decimals,
      ...(priced.has(key) && { oracle: true }),
    })
  }
  return [...found.values()].sort((a, b) => rank(a) - rank(b)).slice(0, limit)
}

await mkdir(target, { recursive: true })
for (const file of await readdir(target)) await rm(new URL(file, target))
for (const [chainId, market] of chains) {
  const lines = build(chainId, market).map((token) => `  ${JSON.stringify(token)}`)
  await writeFile(new URL(`eip155-${chainId}.json`, target), `[\n${lines.join(',\n')}\n]\n`)
  console.log(`eip155:${chainId}: ${lines.length} tokens`)
}
