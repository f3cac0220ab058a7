import { createRequire } from 'node:module'
import { sold } from '../market.mjs'

const require = createRequire(import.meta.url)
const sor = require('@uniswap/smart-order-router')
const inside = '@uniswap/smart-order-router/build/main/routers/alpha-router'
const { BigNumber } = require('@ethersproject/bignumber')
const { CurrencyAmount, TradeType, Fraction } = require('@uniswap/sdk-core')
const candidates = require(`${inside}/functions/get-candidate-pools`)
const { computeAllMixedRoutes, computeAllV2Routes, computeAllV3Routes } = require(
  `${inside}/functions/compute-all-routes`,
)
const { getBestSwapRoute } = require(`${inside}/functions/best-swap-route`)
const { DEFAULT_ROUTING_CONFIG_BY_CHAIN } = require(`${inside}/config`)
const { MixedRouteWithValidQuote, V2RouteWithValidQuote, V3RouteWithValidQuote } = require(
  `${inside}/entities/route-with-valid-quote`,
)

const CHAIN = 1
const routing = { ...DEFAULT_ROUTING_CONFIG_BY_CHAIN(CHAIN), blockNumber: 1 }

/** The tokens that it takes for well traded on Ethereum, by their symbols in the market. */
const bases = {
  WETH: sor.WRAPPED_NATIVE_CURRENCY[CHAIN],
  USDC: sor.USDC_MAINNET,
  USDT: sor.USDT_MAINNET,
  WBTC: sor.WBTC_MAINNET,
  DAI: sor.DAI_MAINNET,
  wstETH: sor.WSTETH_MAINNET,
}

/**
 * @uniswap/smart-order-router with its configuration for Ethereum: its choice of pools, its routes and its split, unchanged. Where it asks
 * an indexer and the chain, it is answered from the market at once: pools with their depth in dollars, and quotes computed by the SDKs.
 * Gas costs nothing.
 *
 * @param {import('../market.mjs').Market} market
 * @param {{ mixed?: boolean }} [options] mixed: also paths that go through both v2 and v3 pools
 * @returns {(query: import('../market.mjs').Market['queries'][number]) => Promise<{ out: string, quoting: number }>} what is paid,
 *   in base units, and how many milliseconds the quotes of its routes took
 */
export function smartOrderRouter(market, { mixed = false } = {}) {
  for (const [symbol, base] of Object.entries(bases)) {
    const own = market.tokens.find((token) => token.symbol === symbol)
    if (own) Object.assign(base, { address: own.address, decimals: own.decimals })
  }
  const pairs = new Listing(market.pairs, 'v2', (pair) => worthOf(market, pair))
  const pools = new Listing(market.pools, 'v3', (pool) => worthOfConcentrated(market, pool))
  const hops = routing.maxSwapsPerPath

  return async (query) => {
    const [amount, tokenOut] = [sold(market, query), market.tokens[query.out]]
    const tokenIn = amount.currency
    const trade = {
      tokenIn,
      tokenOut,
      routeType: TradeType.EXACT_INPUT,
      routingConfig: routing,
      chainId: CHAIN,
    }
    const [v2, v3] = await Promise.all([
      candidates.getV2CandidatePools({ ...trade, ...pairs.providers() }),
      candidates.getV3CandidatePools({ ...trade, ...pools.providers() }),
    ])
    const [v2Pools, v3Pools] = [pairs.among(v2.subgraphPools), pools.among(v3.subgraphPools)]
    const shares = sharesOf(amount)
    let quoting = 0
    const quotes = []
    const add = async (routes, Quote) => {
      const start = performance.now()
      quotes.push(...(await quotesOf(routes, shares, Quote)))
      quoting += performance.now() - start
    }
    await add(computeAllV2Routes(tokenIn, tokenOut, v2Pools, hops), V2RouteWithValidQuote)
    await add(computeAllV3Routes(tokenIn, tokenOut, v3Pools, hops), V3RouteWithValidQuote)
    if (mixed) {
      const parts = await mixedPools(trade, v2, v3)
      await add(computeAllMixedRoutes(tokenIn, tokenOut, parts, hops), MixedRouteWithValidQuote)
    }
    const percents = shares.map(({ percent }) => percent)
    const split = [amount, percents, quotes, TradeType.EXACT_INPUT, CHAIN, routing, nobodysPortion]
    const best = await getBestSwapRoute(...split)
    return { out: best?.quote.quotient.toString() ?? '0', quoting }
  }

  /** The pools that it mixes, of those that it chose of either kind. */
  async function mixedPools(trade, v2, v3) {
    const crossLiquidityPools = await candidates.getMixedCrossLiquidityCandidatePools({
      ...trade,
      v2SubgraphProvider: pairs.providers().subgraphProvider,
      v3SubgraphProvider: pools.providers().subgraphProvider,
      v2Candidates: v2,
      v3Candidates: v3,
    })
    const { poolProvider, tokenProvider } = pairs.providers()
    const { subgraphPools } = await candidates.getMixedRouteCandidatePools({
      v2CandidatePools: v2,
      v3CandidatePools: v3,
      crossLiquidityPools,
      routingConfig: routing,
      tokenProvider,
      v2poolProvider: poolProvider,
      v3poolProvider: poolProvider,
      v4PoolProvider: poolProvider,
      chainId: CHAIN,
    })
    return [...new Set([...pairs.among(subgraphPools), ...pools.among(subgraphPools)])]
  }

  /** What every route pays for every share of the amount. */
  async function quotesOf(routes, shares, Quote) {
    const quotes = []
    for (const route of routes) {
      const hops = route.pairs ?? route.pools
      for (const { percent, amount } of shares) {
        const rawQuote = await paidBy(hops, amount)
        if (!rawQuote) continue
        const quoteToken = route.output
        const facts = { amount, rawQuote, percent, route, quoteToken, tradeType: TradeType.EXACT_INPUT }
        const gasModel = noGas(quoteToken)
        const quote = new Quote({ ...facts, gasModel, mixedRouteGasModel: gasModel, ...noProviders })
        quote.poolIdentifiers = hops.map((pool) => pairs.ids.get(pool) ?? pools.ids.get(pool))
        quotes.push(quote)
      }
    }
    return quotes
  }
}

/** Pools of one kind as an indexer lists them. Several of the same two tokens stay apart, as pools of several exchanges are. */
class Listing {
  /**
   * @param {any[]} pools
   * @param {'v2' | 'v3'} kind
   * @param {(pool: any) => number} worth in dollars
   */
  constructor(pools, kind, worth) {
    this.byId = new Map(pools.map((pool, index) => [`0x${kind}${index}`, pool]))
    this.ids = new Map([...this.byId].map(([id, pool]) => [pool, id]))
    const ether = 3000
    this.listed = [...this.byId].map(([id, pool]) => {
      const dollars = worth(pool)
      const [token0, token1] = [{ id: pool.token0.address }, { id: pool.token1.address }]
      return kind === 'v2'
        ? { id, token0, token1, supply: 1, reserve: dollars / ether, reserveUSD: dollars }
        : {
            id,
            token0,
            token1,
            feeTier: String(pool.fee),
            liquidity: '1',
            tvlETH: dollars / ether,
            tvlUSD: dollars,
          }
    })
    this.listed.sort((a, b) => (b.reserveUSD ?? b.tvlUSD) - (a.reserveUSD ?? a.tvlUSD))
  }

  /** What it asks the indexer, the chain and the token list. */
  providers() {
    return {
      subgraphProvider: { getPools: async () => this.listed.slice() },
      poolProvider: {
        getPools: async () => undefined,
        getPoolAddress: (tokenA, tokenB) => this.deepestOf(tokenA, tokenB),
      },
      tokenProvider: { getTokens: async () => ({ getTokenByAddress: () => undefined }) },
    }
  }

  deepestOf(tokenA, tokenB) {
    const [token0, token1] = tokenA.sortsBefore(tokenB) ? [tokenA, tokenB] : [tokenB, tokenA]
    const [own0, own1] = [token0.address.toLowerCase(), token1.address.toLowerCase()]
    const found = this.listed.find(
      (pool) => pool.token0.id.toLowerCase() === own0 && pool.token1.id.toLowerCase() === own1,
    )
    return { token0, token1, poolAddress: found?.id ?? 'none' }
  }

  /** @param {{ id: string }[]} chosen */
  among(chosen) {
    return chosen.map(({ id }) => this.byId.get(id)).filter(Boolean)
  }
}

/** Every share that it tries of an amount. */
function sharesOf(amount) {
  const step = routing.distributionPercent
  return Array.from({ length: 100 / step }, (_, index) => {
    const percent = (index + 1) * step
    return { percent, amount: amount.multiply(new Fraction(percent, 100)) }
  })
}

/** @returns {Promise<any>} what is paid at the end of a path; nothing when a pool cannot take so much */
async function paidBy(hops, amount) {
  let paid = CurrencyAmount.fromRawAmount(amount.currency, amount.quotient)
  try {
    for (const pool of hops) [paid] = await pool.getOutputAmount(paid)
  } catch {
    return undefined
  }
  return BigNumber.from(paid.quotient.toString())
}

const anywhere = { getPoolAddress: () => ({ poolAddress: '' }) }
const noProviders = {
  v2PoolProvider: anywhere,
  v3PoolProvider: anywhere,
  v4PoolProvider: anywhere,
  sqrtPriceX96AfterList: [],
  initializedTicksCrossedList: [],
  quoterGasEstimate: BigNumber.from(0),
}
const nobodysPortion = { getRouteWithQuotePortionAdjusted: (_, routes) => routes }

function noGas(token) {
  return {
    estimateGasCost: () => ({
      gasEstimate: BigNumber.from(0),
      gasCostInToken: CurrencyAmount.fromRawAmount(token, 0),
      gasCostInUSD: CurrencyAmount.fromRawAmount(sor.USDC_MAINNET, 0),
    }),
  }
}

function worthOf({ prices, tokens }, pair) {
  const dollars = (reserve) => Number(reserve.toExact()) * prices[tokens.indexOf(reserve.currency)]
  return dollars(pair.reserve0) + dollars(pair.reserve1)
}

/** What the positions of a v3 pool hold. */
function worthOfConcentrated({ prices, tokens }, pool) {
  const [price0, price1] = [pool.token0, pool.token1].map(
    (token) => prices[tokens.indexOf(token)] / 10 ** token.decimals,
  )
  const now = Number(pool.sqrtRatioX96.toString()) / 2 ** 96
  const { ticks } = pool.tickDataProvider
  let [liquidity, worth] = [0, 0]
  for (const [index, tick] of ticks.entries()) {
    const next = ticks[index + 1]
    liquidity += Number(tick.liquidityNet.toString())
    if (!next) break
    const [low, high] = [1.0001 ** (tick.index / 2), 1.0001 ** (next.index / 2)]
    const at = Math.min(Math.max(now, low), high)
    worth += liquidity * ((1 / at - 1 / high) * price0 + (at - low) * price1)
  }
  return worth
}
