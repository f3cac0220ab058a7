import { createHash } from 'node:crypto'
import { numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { deployer } from './accounts.mjs'
import { multicall3Address, placeContracts, planPlaced } from './canonical.mjs'
import { addEns } from './ens.mjs'
import { addExchanges, pairCodeHash } from './exchangeDeployment.mjs'
import { rpc, rpcBatch } from './rpc.mjs'
import { addSmartAccounts, executorBalances } from './smartAccounts.mjs'
import { Transactions } from './transactions.mjs'
import { addTreasury } from './treasury.mjs'

/**
 * A chain's set-up as the ordered list of the deployer's transactions.
 *
 * @typedef {object} Deployment
 * @property {import('./transactions.mjs').Transaction[]} transactions
 * @property {Record<string, `0x${string}`>} contracts addresses by token id, feed id and contract name
 * @property {`0x${string}`} pairCodeHash from which a v2 pool's address follows (CREATE2)
 * @property {Record<string, bigint>} balances wei by address
 * @property {Record<string, `0x${string}`>} placed creation code by the canonical address of a contract
 * @property {string} fingerprint changes when anything above does
 */

/** Enough for the largest contract; unused gas is not paid for. */
const fees = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n, gas: 10_000_000n }

/** Initial balance of the deployer in wei: for gas and for the pools. */
const purse = 10n ** 23n

/** Number of transactions in one request. */
const batchSize = 50

/**
 * Plans the transactions that turn an empty chain into the planned one.
 *
 * @param {import('./chains.mjs').ChainPlan} plan
 * @param {Record<string, import('./compile.mjs').Artifact>} artifacts
 * @returns {Deployment}
 */
export function planDeployment(plan, artifacts) {
  const transactions = new Transactions(artifacts)
  addTokens(transactions, plan.tokens, plan.feeds)
  addCollections(transactions, plan.nfts)
  if (plan.exchanges) {
    const { wrapped, tokens, feeds } = plan.exchanges
    transactions.create(wrapped.id, 'WETH9')
    addTokens(transactions, tokens, feeds)
    addExchanges(transactions, plan, plan.exchanges)
  }
  for (const contract of plan.single ?? []) transactions.create(contract, contract)
  if (plan.ens) addEns(transactions)
  addTreasury(transactions, plan)
  addSmartAccounts(transactions)

  const placed = planPlaced(transactions)
  const { list } = transactions
  const balances = { ...plan.balances, ...executorBalances }
  return {
    transactions: list,
    contracts: { Multicall3: multicall3Address, ...transactions.contracts },
    pairCodeHash: pairCodeHash(transactions),
    balances,
    placed,
    fingerprint: hash([list, balances, placed]),
  }
}

/**
 * @param {Transactions} transactions
 * @param {import('./chains.mjs').TokenPlan[]} tokens
 * @param {import('./chains.mjs').FeedPlan[]} feeds
 */
function addTokens(transactions, tokens, feeds) {
  for (const token of tokens) transactions.create(token.id, token.contract, constructorArguments(token))
  for (const feed of feeds) transactions.create(feed.id, 'PriceFeed', [feed.pair, 8, feed.answer])
  for (const { id, contract, holders = {} } of tokens) {
    for (const [holder, units] of Object.entries(holders)) {
      transactions.call(contract, transactions.address(id), 'mint', [holder, units])
    }
  }
}

/**
 * @param {Transactions} transactions
 * @param {import('./collections.mjs').CollectionPlan[]} collections
 */
function addCollections(transactions, collections) {
  for (const { id, contract, name, symbol } of collections) transactions.create(id, contract, [name, symbol])
  for (const collection of collections) {
    for (const mint of collection.mints) {
      const to = transactions.address(collection.id)
      transactions.call(collection.contract, to, 'mint', mintArguments(collection, mint))
    }
  }
}

/** @param {import('./chains.mjs').TokenPlan} token */
function constructorArguments(token) {
  const last = token.contract === 'BrokenToken' ? token.burnsGas === true : token.decimals
  return [token.name, token.symbol, last]
}

/**
 * @param {import('./collections.mjs').CollectionPlan} collection
 * @param {import('./collections.mjs').MintPlan} mint
 */
function mintArguments({ contract }, { holder, tokenId, quantity, uri }) {
  return contract === 'TestEdition' ? [holder, tokenId, quantity, uri] : [holder, tokenId, uri]
}

/** @param {unknown} facts */
function hash(facts) {
  const text = JSON.stringify(facts, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  return createHash('sha256').update(text).digest('hex')
}

/**
 * Deploys the contracts to an empty chain.
 *
 * @param {string} url of an anvil node
 * @param {number} chainId
 * @param {Deployment} deployment
 * @throws {Error} when the node refuses a transaction or one of them reverts
 */
export async function deploy(url, chainId, { transactions, balances, placed }) {
  await placeContracts(url, placed)
  await rpc(url, 'anvil_setBalance', [deployer.address, numberToHex(purse)])
  for (const [address, wei] of Object.entries(balances)) {
    await rpc(url, 'anvil_setBalance', [address, numberToHex(wei)])
  }
  await rpc(url, 'evm_setAutomine', [false])
  for (let sent = 0; sent < transactions.length; sent += batchSize) {
    await send(url, chainId, sent, transactions.slice(sent, sent + batchSize))
  }
  await rpc(url, 'evm_setAutomine', [true])
}

/**
 * @param {string} url
 * @param {number} chainId
 * @param {number} nonce of the first
 * @param {import('./transactions.mjs').Transaction[]} transactions
 */
async function send(url, chainId, nonce, transactions) {
  const account = privateKeyToAccount(deployer.privateKey)
  const signed = await Promise.all(
    transactions.map(({ to, data, value }, index) => {
      const unsigned = {
        ...fees,
        type: /** @type {const} */ ('eip1559'),
        chainId,
        nonce: nonce + index,
        data,
        value,
      }
      return account.signTransaction(to ? { ...unsigned, to } : unsigned)
    }),
  )
  const hashes = await rpcBatch(url, 'eth_sendRawTransaction', signed)
  const receipts = await receiptsOf(url, hashes)
  const failed = receipts.findIndex(({ status }) => status !== '0x1')
  if (failed >= 0) {
    throw new Error(`${transactions[failed]?.what} on chain ${chainId} reverted (${hashes[failed]})`)
  }
}

/**
 * @param {string} url
 * @param {string[]} hashes
 * @returns {Promise<{ status: string }[]>}
 */
async function receiptsOf(url, hashes) {
  const deadline = Date.now() + 10_000
  while (Date.now() < deadline) {
    await rpc(url, 'evm_mine') // one block does not take all of them
    const receipts = await rpcBatch(url, 'eth_getTransactionReceipt', hashes)
    if (receipts.every(Boolean)) return receipts
  }
  throw new Error(`${hashes.length} transactions were not mined within 10 s`)
}
