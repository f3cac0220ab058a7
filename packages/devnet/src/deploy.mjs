import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeDeployData, encodeFunctionData, getContractAddress, numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { deployer } from './accounts.mjs'
import { multicall3Address, placeMulticall3 } from './multicall3.mjs'
import { rpc } from './rpc.mjs'

/**
 * A chain's set-up as the ordered list of the deployer's transactions: transaction n has nonce n.
 * The deployer's nonce therefore tells how far an interrupted set-up came, and the contract
 * addresses follow from the order alone.
 *
 * @typedef {object} Deployment
 * @property {Transaction[]} transactions
 * @property {Record<string, `0x${string}`>} contracts addresses by token id, feed id and contract name
 * @property {Record<string, bigint>} balances wei by address
 * @property {`0x${string}`} multicall3 creation code
 * @property {string} fingerprint changes when anything above does
 */

/**
 * @typedef {object} Transaction
 * @property {string} what for error messages
 * @property {`0x${string}` | undefined} to absent when it creates a contract
 * @property {`0x${string}`} data
 */

const fees = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n, gas: 5_000_000n }

/**
 * Plans what brings an empty chain to what the plan says.
 *
 * @param {import('./chains.mjs').ChainPlan} plan
 * @param {Record<string, import('./compile.mjs').Artifact>} artifacts
 * @returns {Deployment}
 */
export function planDeployment(plan, artifacts) {
  /** @type {Transaction[]} */
  const transactions = []
  /** @type {Record<string, `0x${string}`>} */
  const contracts = { Multicall3: multicall3Address }

  /** @param {string} id @param {string} contract @param {unknown[]} args */
  const create = (id, contract, args) => {
    const { abi, bytecode } = artifactOf(artifacts, contract)
    contracts[id] = getContractAddress({ from: deployer.address, nonce: BigInt(transactions.length) })
    transactions.push({
      what: `creating ${id}`,
      to: undefined,
      data: encodeDeployData({ abi, bytecode, args }),
    })
  }

  for (const token of plan.tokens) create(token.id, token.contract, constructorArguments(token))
  for (const feed of plan.feeds) create(feed.id, 'PriceFeed', [feed.pair, 8, feed.answer])
  for (const token of plan.tokens) {
    const { abi } = artifactOf(artifacts, token.contract)
    for (const [holder, units] of Object.entries(token.holders ?? {})) {
      const data = encodeFunctionData({ abi, functionName: 'mint', args: [holder, units] })
      transactions.push({ what: `minting ${token.id}`, to: contracts[token.id], data })
    }
  }
  for (const { id, contract, name, symbol } of plan.nfts) create(id, contract, [name, symbol])
  for (const collection of plan.nfts) {
    const { abi } = artifactOf(artifacts, collection.contract)
    for (const mint of collection.mints) {
      const data = encodeFunctionData({ abi, functionName: 'mint', args: mintArguments(collection, mint) })
      transactions.push({ what: `minting ${collection.id}`, to: contracts[collection.id], data })
    }
  }

  const multicall3 = artifactOf(artifacts, 'Multicall3').bytecode
  const { balances } = plan
  return {
    transactions,
    contracts,
    balances,
    multicall3,
    fingerprint: hash([transactions, balances, multicall3]),
  }
}

/**
 * @param {Record<string, import('./compile.mjs').Artifact>} artifacts
 * @param {string} name
 */
function artifactOf(artifacts, name) {
  const artifact = artifacts[name]
  if (!artifact) throw new Error(`no contract is called ${name}`)
  return artifact
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
 * Sends what is still missing of a deployment; on a chain that has everything, sends nothing.
 *
 * @param {string} url of an anvil node
 * @param {number} chainId
 * @param {Deployment} deployment
 * @returns {Promise<number>} how many transactions were sent
 * @throws {Error} when the node refuses a transaction or one of them reverts
 */
export async function deploy(url, chainId, deployment) {
  const done = Number(await rpc(url, 'eth_getTransactionCount', [deployer.address, 'latest']))
  const missing = deployment.transactions.slice(done)
  if (missing.length === 0) return 0

  await placeMulticall3(url, deployment.multicall3)
  await rpc(url, 'anvil_setBalance', [deployer.address, numberToHex(10n ** 20n)])
  for (const [address, wei] of Object.entries(deployment.balances)) {
    await rpc(url, 'anvil_setBalance', [address, numberToHex(wei)])
  }
  for (const [offset, transaction] of missing.entries()) {
    await send(url, chainId, done + offset, transaction)
  }
  return missing.length
}

/**
 * @param {string} url
 * @param {number} chainId
 * @param {number} nonce
 * @param {Transaction} transaction
 */
async function send(url, chainId, nonce, { what, to, data }) {
  const account = privateKeyToAccount(deployer.privateKey)
  const unsigned = { ...fees, type: /** @type {const} */ ('eip1559'), chainId, nonce, data }
  const signed = await account.signTransaction(to ? { ...unsigned, to } : unsigned)
  const hash = await rpc(url, 'eth_sendRawTransaction', [signed])
  const receipt = await receiptOf(url, hash)
  if (receipt.status !== '0x1') throw new Error(`${what} on chain ${chainId} reverted (${hash})`)
}

/**
 * @param {string} url
 * @param {string} hash
 * @returns {Promise<{ status: string }>}
 */
async function receiptOf(url, hash) {
  const deadline = Date.now() + 10_000
  while (Date.now() < deadline) {
    const receipt = await rpc(url, 'eth_getTransactionReceipt', [hash])
    if (receipt) return receipt
    await sleep(5)
  }
  throw new Error(`transaction ${hash} was not mined within 10 s`)
}
