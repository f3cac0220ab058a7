import { encodePacked, getContractAddress, keccak256, maxUint256 } from 'viem'
import { deployer } from './accounts.mjs'
import { rangeOf, spacingOf, sqrtPriceOf, unitsWorth, withPremium } from './pools.mjs'

/** @typedef {import('./transactions.mjs').Transactions} Transactions */
/** @typedef {{ address: `0x${string}`, contract: string, price: bigint, decimals: number }} Traded a token as a pool sees it */

const nobody = '0x0000000000000000000000000000000000000000'
/** Positions are opened whenever the chain starts: they have no deadline. */
const whenever = maxUint256
/** Wei that the deployer wraps: more than all pools need. */
const wrapped = 10n ** 22n

/**
 * Adds the exchanges and fills their pools. Tokens and feeds must have been added.
 *
 * @param {Transactions} transactions
 * @param {import('./chains.mjs').ChainPlan} plan
 * @param {import('./exchanges.mjs').ExchangePlan} exchanges
 */
export function addExchanges(transactions, plan, exchanges) {
  const traded = tradedTokens(transactions, plan, exchanges)
  for (const venue of exchanges.venues) addVenue(transactions, venue)
  transactions.call('WETH9', transactions.address('WETH'), 'deposit', [], wrapped)
  for (const { id } of exchanges.venues) approvePositions(transactions, id, exchanges.pools, traded)
  for (const pool of exchanges.pools) {
    const tokens = /** @type {[Traded, Traded]} */ (pool.tokens.map((id) => traded(id)))
    if (pool.fee === undefined) addPair(transactions, pool, tokens)
    else addConcentrated(transactions, pool, pool.fee, tokens)
  }
}

/**
 * Returns the hash from which a v2 pool's address follows (CREATE2).
 *
 * @param {Transactions} transactions
 */
export function pairCodeHash(transactions) {
  return keccak256(transactions.artifact('UniswapV2Pair').bytecode)
}

/**
 * @param {Transactions} transactions
 * @param {import('./chains.mjs').ChainPlan} plan
 * @param {import('./exchanges.mjs').ExchangePlan} exchanges
 * @returns {(id: string) => Traded}
 */
function tradedTokens(transactions, plan, { wrapped, tokens, feeds, prices }) {
  const known = [{ ...wrapped, contract: 'WETH9' }, ...plan.tokens, ...tokens]
  const priced = [...plan.feeds, ...feeds]
  return (id) => {
    const token = known.find((candidate) => candidate.id === id)
    if (!token) throw new Error(`chain ${plan.chainId} has no token ${id}`)
    const price = priced.find((feed) => feed.token === id)?.answer ?? prices[id] ?? 0n
    return { address: transactions.address(id), contract: token.contract, price, decimals: token.decimals }
  }
}

/**
 * @param {Transactions} transactions
 * @param {import('./exchanges.mjs').VenuePlan} venue
 */
function addVenue(transactions, { id, kind, fees = [] }) {
  const weth = transactions.address('WETH')
  /** @param {string} part */
  const at = (part) => transactions.address(`${id} ${part}`)

  if (kind === 'algebra-router') {
    addAlgebra(transactions, id, weth)
    return
  }
  if (kind !== 'v3-router') {
    transactions.create(`${id} V2Factory`, 'UniswapV2Factory', [deployer.address])
    transactions.create(`${id} V2Router`, 'UniswapV2Router02', [at('V2Factory'), weth])
  }
  if (kind === 'v2-router') return

  transactions.create(`${id} V3Factory`, 'UniswapV3Factory')
  if (fees.includes(100)) transactions.call('UniswapV3Factory', at('V3Factory'), 'enableFeeAmount', [100, 1])
  transactions.create(`${id} Positions`, 'NonfungiblePositionManager', [at('V3Factory'), weth, nobody])
  transactions.create(`${id} Quoter`, 'QuoterV2', [at('V3Factory'), weth])
  transactions.create(`${id} TickLens`, 'TickLens')
  if (kind === 'v3-router') {
    transactions.create(`${id} Router`, 'SwapRouter', [at('V3Factory'), weth])
  } else {
    const parts = [at('V2Factory'), at('V3Factory'), at('Positions'), weth]
    transactions.create(`${id} Router`, 'SwapRouter02', parts)
  }
}

/**
 * @param {Transactions} transactions
 * @param {string} id
 * @param {`0x${string}`} weth
 */
function addAlgebra(transactions, id, weth) {
  /** @param {string} part */
  const at = (part) => transactions.address(`${id} ${part}`)
  transactions.create(`${id} PoolDeployer`, 'AlgebraPoolDeployer')
  transactions.create(`${id} Factory`, 'AlgebraFactory', [at('PoolDeployer'), deployer.address])
  transactions.call('AlgebraPoolDeployer', at('PoolDeployer'), 'setFactory', [at('Factory')])
  transactions.create(`${id} Positions`, 'AlgebraPositions', [
    at('Factory'),
    weth,
    nobody,
    at('PoolDeployer'),
  ])
  transactions.create(`${id} Router`, 'AlgebraRouter', [at('Factory'), weth, at('PoolDeployer')])
}

/**
 * Lets a venue's position manager take what the deployer will give to its pools.
 *
 * @param {Transactions} transactions
 * @param {string} venue
 * @param {import('./exchanges.mjs').PoolPlan[]} pools
 * @param {(id: string) => Traded} traded
 */
function approvePositions(transactions, venue, pools, traded) {
  const filled = pools.filter((pool) => pool.venue === venue && pool.fee && pool.depths.length > 0)
  for (const id of new Set(filled.flatMap(({ tokens }) => tokens))) {
    const { contract, address } = traded(id)
    transactions.call(contract, address, 'approve', [transactions.address(`${venue} Positions`), maxUint256])
  }
}

/**
 * Opens a v2 pool. Its reserves are what it holds when `mint` is called.
 *
 * @param {Transactions} transactions
 * @param {import('./exchanges.mjs').PoolPlan} pool
 * @param {[Traded, Traded]} tokens
 */
function addPair(transactions, { venue, premium, depths }, tokens) {
  const factory = transactions.address(`${venue} V2Factory`)
  const [token0, token1] = inOrder(tokens)
  const pair = getContractAddress({
    opcode: 'CREATE2',
    from: factory,
    salt: keccak256(encodePacked(['address', 'address'], [token0.address, token1.address])),
    bytecodeHash: pairCodeHash(transactions),
  })
  transactions.call('UniswapV2Factory', factory, 'createPair', [token0.address, token1.address])
  for (const { dollars } of depths) {
    for (const [token, units] of amounts(tokens, premium, dollars)) give(transactions, token, pair, units)
    transactions.call('UniswapV2Pair', pair, 'mint', [deployer.address])
  }
}

/**
 * Opens a v3 pool or one of Algebra at its price, and a position for each depth.
 *
 * @param {Transactions} transactions
 * @param {import('./exchanges.mjs').PoolPlan} pool
 * @param {number | 'algebra'} fee
 * @param {[Traded, Traded]} tokens
 */
function addConcentrated(transactions, { venue, premium, depths }, fee, tokens) {
  const positions = transactions.address(`${venue} Positions`)
  const [token0, token1] = inOrder(tokens)
  /** @param {bigint} dollars */
  const unitsFor = (dollars) => {
    const units = amounts(tokens, premium, dollars)
    return { amount0: units.get(token0) ?? 0n, amount1: units.get(token1) ?? 0n }
  }

  const all = unitsFor(depths.reduce((sum, { dollars }) => sum + dollars, 0n))
  if (depths.length > 0) {
    give(transactions, token0, deployer.address, all.amount0)
    give(transactions, token1, deployer.address, all.amount1)
  }
  const one = unitsFor(1_000_000n)
  const sqrtPrice = sqrtPriceOf(one.amount0, one.amount1)
  // A pool of Algebra is named by its tokens alone.
  const manager = fee === 'algebra' ? 'AlgebraPositions' : 'NonfungiblePositionManager'
  const feeNamed = fee === 'algebra' ? [] : [fee]
  const calls = [
    transactions.encode(manager, 'createAndInitializePoolIfNecessary', [
      token0.address,
      token1.address,
      ...feeNamed,
      sqrtPrice,
    ]),
  ]
  for (const depth of depths) {
    const { amount0, amount1 } = unitsFor(depth.dollars)
    const [tickLower, tickUpper] = rangeOf(sqrtPrice, spacingOf(fee), depth)
    const position = {
      token0: token0.address,
      token1: token1.address,
      ...(fee !== 'algebra' && { fee }),
      tickLower,
      tickUpper,
      amount0Desired: amount0,
      amount1Desired: amount1,
      amount0Min: 0n,
      amount1Min: 0n,
      recipient: deployer.address,
      deadline: whenever,
    }
    calls.push(transactions.encode(manager, 'mint', [position]))
  }
  transactions.call(manager, positions, 'multicall', [calls])
}

/**
 * @param {Transactions} transactions
 * @param {Traded} token
 * @param {`0x${string}`} to
 * @param {bigint} units
 */
function give(transactions, { contract, address }, to, units) {
  if (contract !== 'WETH9') transactions.call(contract, address, 'mint', [to, units])
  else if (to !== deployer.address) transactions.call(contract, address, 'transfer', [to, units])
}

/**
 * @param {[Traded, Traded]} tokens of which the first costs a premium
 * @param {bigint | undefined} premium
 * @param {bigint} dollars
 */
function amounts([first, second], premium, dollars) {
  return new Map([
    [first, unitsWorth(dollars, withPremium(first.price, premium), first.decimals)],
    [second, unitsWorth(dollars, second.price, second.decimals)],
  ])
}

/** @param {[Traded, Traded]} tokens @returns {[Traded, Traded]} as pools number them */
function inOrder([a, b]) {
  return BigInt(a.address) < BigInt(b.address) ? [a, b] : [b, a]
}
