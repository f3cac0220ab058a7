import { accounts } from './accounts.mjs'

/**
 * What is traded on a local chain, and where. Lists are in deployment order: add to the end, for the order decides the addresses.
 *
 * @typedef {object} ExchangePlan
 * @property {{ id: string, name: string, symbol: string, decimals: number }} wrapped the native currency as a token (WETH9)
 * @property {import('./chains.mjs').TokenPlan[]} tokens beside those of the chain
 * @property {import('./chains.mjs').FeedPlan[]} feeds of wrapped and tokens
 * @property {VenuePlan[]} venues the first is the one most traded on
 * @property {Record<string, bigint>} prices US dollars with eight decimals, by token id, of tokens without a feed
 * @property {PoolPlan[]} pools
 */

/**
 * A router and the factories whose pools it trades.
 * @typedef {object} VenuePlan
 * @property {string} id prefix of its contracts' names
 * @property {string} name
 * @property {'swap-router-02' | 'v2-router' | 'v3-router' | 'algebra-router'} kind
 * @property {number[]} [fees] of its v3 pools, in hundredths of a basis point; absent: it has none
 */

/**
 * @typedef {object} PoolPlan
 * @property {string} venue id
 * @property {[string, string]} tokens ids
 * @property {number | 'algebra'} [fee] in hundredths of a basis point for a v3 pool, `algebra` for one of Algebra, which sets it by itself; absent for v2
 * @property {bigint} [premium] hundredths of a basis point by which the first token costs more than in other pools
 * @property {Depth[]} depths one for v2; a position each for v3
 */

/**
 * @typedef {object} Depth
 * @property {bigint} dollars of each token
 * @property {number} [percent] v3 only: how far from the price the position reaches, up and down; absent: to the ends
 * @property {'above'} [side] v3 only: the position holds nothing below the price
 */

const two = accounts[2]?.address
if (!two) throw new Error('the mnemonic gave too few accounts')

/** @type {VenuePlan[]} */
const venues = [
  { id: 'Uniswap', name: 'Uniswap', kind: 'swap-router-02', fees: [100, 500, 3000, 10000] },
  { id: 'Harbour', name: 'Harbour Exchange', kind: 'v2-router' },
  { id: 'Beacon', name: 'Beacon Exchange', kind: 'v3-router', fees: [500, 3000, 10000] },
  { id: 'Lagoon', name: 'Lagoon Exchange', kind: 'algebra-router' },
]

/**
 * Prices differ between venues by less than their fees, so that splitting a trade pays off, and arbitrage
 * does not.
 *
 * @type {PoolPlan[]}
 */
const pools = [
  // Deep: an ether moves these by little.
  { venue: 'Uniswap', tokens: ['WETH', 'tUSD'], depths: [{ dollars: 1_250_000n }] },
  { venue: 'Uniswap', tokens: ['WETH', 'tDAI'], premium: -400n, depths: [{ dollars: 900_000n }] },
  { venue: 'Uniswap', tokens: ['tUSD', 'tDAI'], depths: [{ dollars: 300_000n }] },
  { venue: 'Uniswap', tokens: ['WETH', 'tUSDT'], premium: 600n, depths: [{ dollars: 450_000n }] },
  { venue: 'Uniswap', tokens: ['tGOLD', 'WETH'], depths: [{ dollars: 500_000n }] },
  { venue: 'Harbour', tokens: ['WETH', 'tUSD'], premium: 1_500n, depths: [{ dollars: 750_000n }] },
  { venue: 'Harbour', tokens: ['WETH', 'tDAI'], premium: -1_200n, depths: [{ dollars: 400_000n }] },
  { venue: 'Harbour', tokens: ['tUSDT', 'tUSD'], premium: 300n, depths: [{ dollars: 350_000n }] },
  { venue: 'Harbour', tokens: ['tGOLD', 'tUSD'], premium: 900n, depths: [{ dollars: 200_000n }] },
  {
    venue: 'Uniswap',
    tokens: ['WETH', 'tUSD'],
    fee: 500,
    premium: 150n,
    depths: [
      { dollars: 400_000n, percent: 0.3 },
      { dollars: 600_000n, percent: 1 },
      { dollars: 500_000n, percent: 4 },
      { dollars: 300_000n },
    ],
  },
  {
    venue: 'Uniswap',
    tokens: ['WETH', 'tUSD'],
    fee: 3000,
    premium: -700n,
    depths: [{ dollars: 500_000n, percent: 5 }, { dollars: 400_000n, percent: 20 }, { dollars: 100_000n }],
  },
  {
    venue: 'Uniswap',
    tokens: ['WETH', 'tDAI'],
    fee: 3000,
    depths: [{ dollars: 300_000n, percent: 3 }, { dollars: 250_000n, percent: 15 }, { dollars: 80_000n }],
  },
  {
    venue: 'Uniswap',
    tokens: ['tUSD', 'tDAI'],
    fee: 100,
    depths: [
      { dollars: 250_000n, percent: 0.05 },
      { dollars: 400_000n, percent: 0.3 },
      { dollars: 100_000n, percent: 5 },
    ],
  },
  {
    venue: 'Uniswap',
    tokens: ['tUSD', 'tUSDT'],
    fee: 100,
    depths: [
      { dollars: 300_000n, percent: 0.1 },
      { dollars: 200_000n, percent: 1 },
    ],
  },
  {
    venue: 'Uniswap',
    tokens: ['tGOLD', 'WETH'],
    fee: 3000,
    depths: [{ dollars: 250_000n, percent: 6 }, { dollars: 100_000n }],
  },
  {
    venue: 'Beacon',
    tokens: ['WETH', 'tUSD'],
    fee: 500,
    premium: -200n,
    depths: [{ dollars: 250_000n, percent: 2 }, { dollars: 150_000n }],
  },
  {
    venue: 'Beacon',
    tokens: ['tDAI', 'tUSDT'],
    fee: 500,
    depths: [{ dollars: 200_000n, percent: 0.5 }, { dollars: 50_000n }],
  },

  // Unusual pools that a router has to cope with.
  { venue: 'Uniswap', tokens: ['LONG', 'WETH'], depths: [{ dollars: 6_000n }] }, // thin
  { venue: 'Uniswap', tokens: ['HUGE', 'tUSD'], depths: [{ dollars: 20_000n }] }, // a balance beyond what v2 can take
  { venue: 'Uniswap', tokens: ['WHOLE', 'tUSD'], depths: [{ dollars: 50_000n }] }, // 0 decimals
  { venue: 'Uniswap', tokens: ['TAX', 'WETH'], depths: [{ dollars: 100_000n }] }, // a fee on transfer
  { venue: 'Uniswap', tokens: ['TRAP', 'WETH'], depths: [{ dollars: 80_000n }] }, // cannot be sold
  { venue: 'Harbour', tokens: ['WETH', 'REVERTS'], depths: [] }, // empty, of a token that reverts
  { venue: 'Uniswap', tokens: ['WIDE', 'WETH'], fee: 3000, depths: [{ dollars: 150_000n, percent: 25 }] }, // 36 decimals
  { venue: 'Uniswap', tokens: ['WIDE', 'tUSD'], fee: 10000, depths: [{ dollars: 40_000n }] },
  { venue: 'Uniswap', tokens: ['WETH', 'tUSDT'], fee: 10000, depths: [] }, // has a price and nothing to trade
  {
    venue: 'Uniswap',
    tokens: ['tDAI', 'tUSDT'],
    fee: 500,
    depths: [{ dollars: 30_000n, percent: 2, side: 'above' }], // sells one token only
  },

  // Fees that change with the trades of a day.
  {
    venue: 'Lagoon',
    tokens: ['tGOLD', 'tDAI'],
    fee: 'algebra',
    depths: [{ dollars: 120_000n, percent: 4 }, { dollars: 60_000n }],
  },
  {
    venue: 'Lagoon',
    tokens: ['WETH', 'tDAI'],
    fee: 'algebra',
    premium: -300n,
    depths: [{ dollars: 40_000n, percent: 10 }, { dollars: 20_000n }],
  },
]

/** @type {ExchangePlan} */
export const exchanges = {
  wrapped: { id: 'WETH', name: 'Wrapped Ether', symbol: 'WETH', decimals: 18 },
  tokens: [
    {
      id: 'tGOLD',
      contract: 'PermitToken',
      name: 'Test Gold',
      symbol: 'tGOLD',
      decimals: 8,
      holders: { [two]: 25_00000000n },
    },
    {
      id: 'TAX',
      contract: 'TaxedToken',
      name: 'One percent a transfer',
      symbol: 'TAX',
      decimals: 18,
      holders: { [two]: 10_000n * 10n ** 18n },
    },
    {
      id: 'TRAP',
      contract: 'TrapToken',
      name: 'Cannot be sold',
      symbol: 'TRAP',
      decimals: 18,
      holders: { [two]: 1_000n * 10n ** 18n },
    },
  ],
  feeds: [
    { id: 'WETH/USD', pair: 'WETH / USD', token: 'WETH', answer: 3_125_42000000n },
    { id: 'tGOLD/USD', pair: 'tGOLD / USD', token: 'tGOLD', answer: 2_400_00000000n },
  ],
  venues,
  prices: {
    LONG: 50_00000000n,
    HUGE: 1000000n,
    WHOLE: 5_00000000n,
    TAX: 2_00000000n,
    TRAP: 50000000n,
  },
  pools,
}
