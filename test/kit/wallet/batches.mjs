import {
  encodeFunctionData,
  hexToBigInt,
  hexToNumber,
  isAddressEqual,
  numberToHex,
  parseAbi,
  zeroAddress,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import {
  duplicateBatch,
  invalidParams,
  unknownBatch,
  unsupportedBatchChain,
  unsupportedCapability,
} from './errors.mjs'

/**
 * How a wallet sends atomic batches: the account borrows the code of a contract (EIP-7702), which makes all calls in one transaction.
 * @typedef {object} BatchOptions
 * @property {'supported' | 'ready'} status capability of pages (EIP-5792); ready: once the person agrees
 * @property {Record<number, `0x${string}`>} accounts the contract, by chain id
 */

/**
 * A batch as a page asks for it (EIP-5792), quantities in hex.
 * @typedef {object} BatchRequest
 * @property {string} version
 * @property {string} [id]
 * @property {`0x${string}`} [from]
 * @property {`0x${string}`} chainId
 * @property {boolean} atomicRequired
 * @property {{ to?: `0x${string}`, data?: `0x${string}`, value?: `0x${string}` }[]} calls
 * @property {Record<string, { optional?: boolean }>} [capabilities]
 */

/** @typedef {(method: string, params: unknown[]) => Promise<any>} AskNode */

const batchAccount = parseAbi([
  'struct Call { address to; uint256 value; bytes data; }',
  'function execute(Call[] calls) payable',
])

/** Prefix of the code of an account that delegates to a contract (EIP-7702). */
const DELEGATION = '0xef0100'

/** The batches of one wallet. */
export class Batches {
  /** @type {Map<string, { chainId: number, hash: `0x${string}` }>} */
  #sent = new Map()

  /** @param {BatchOptions} options */
  constructor({ status, accounts }) {
    this.status = status
    this.accounts = new Map(Object.entries(accounts).map(([id, address]) => [Number(id), address]))
  }

  /**
   * Answers wallet_getCapabilities.
   *
   * @param {`0x${string}`[]} [chainIds] all by default
   */
  capabilities(chainIds) {
    const asked = chainIds?.map((id) => hexToNumber(id)) ?? [...this.accounts.keys()]
    const atomic = asked.filter((id) => this.accounts.has(id))
    return Object.fromEntries(atomic.map((id) => [numberToHex(id), { atomic: { status: this.status } }]))
  }

  /**
   * Refuses invalid batches before the prompt.
   *
   * @param {BatchRequest} request
   * @throws {import('./errors.mjs').WalletError}
   */
  check({ version, id, chainId, calls, capabilities = {} }) {
    if (version !== '2.0.0') throw invalidParams(`batches are of version 2.0.0, not ${version}`)
    if (!Array.isArray(calls) || calls.length === 0) throw invalidParams('a batch needs calls')
    if (calls.some(({ to }) => !to)) throw invalidParams('a call of a batch needs a recipient')
    if (!this.accounts.has(Number(chainId))) throw unsupportedBatchChain(chainId)
    if (id && this.#sent.has(id)) throw duplicateBatch(id)
    const needed = Object.entries(capabilities).find(([, { optional }]) => !optional)
    if (needed) throw unsupportedCapability(needed[0])
  }

  /**
   * Signs a batch and hands it to the node.
   *
   * @param {object} options
   * @param {`0x${string}`} options.privateKey
   * @param {BatchRequest} options.request
   * @param {AskNode} options.node
   * @returns {Promise<string>} the batch's id
   */
  async send({ privateKey, request, node }) {
    const chainId = Number(request.chainId)
    const delegate = this.accounts.get(chainId)
    if (!delegate) throw unsupportedBatchChain(request.chainId)
    const hash = await sendBatch({ privateKey, chainId, delegate, calls: request.calls, node })
    const id = request.id ?? hash
    this.#sent.set(id, { chainId, hash })
    return id
  }

  /**
   * Answers wallet_getCallsStatus.
   *
   * @param {string} id
   * @param {(chainId: number) => AskNode} nodeOf
   */
  async statusOf(id, nodeOf) {
    const batch = this.#sent.get(id)
    if (!batch) throw unknownBatch(id)
    const receipt = await nodeOf(batch.chainId)('eth_getTransactionReceipt', [batch.hash])
    const known = { version: '2.0.0', id, chainId: numberToHex(batch.chainId), atomic: true }
    if (!receipt) return { ...known, status: 100 }
    const { logs, status, blockHash, blockNumber, gasUsed, transactionHash } = receipt
    const receipts = [{ logs, status, blockHash, blockNumber, gasUsed, transactionHash }]
    return { ...known, status: status === '0x1' ? 200 : 500, receipts }
  }
}

/**
 * @param {object} options
 * @param {`0x${string}`} options.privateKey
 * @param {number} options.chainId
 * @param {`0x${string}`} options.delegate
 * @param {BatchRequest['calls']} options.calls
 * @param {AskNode} options.node
 * @returns {Promise<`0x${string}`>} transaction hash
 */
async function sendBatch({ privateKey, chainId, delegate, calls, node }) {
  const account = privateKeyToAccount(privateKey)
  const own = account.address
  const data = encodeFunctionData({
    abi: batchAccount,
    functionName: 'execute',
    args: [
      calls.map(({ to = '0x', value = '0x0', data = '0x' }) => ({ to, value: hexToBigInt(value), data })),
    ],
  })
  const nonce = hexToNumber(await node('eth_getTransactionCount', [own, 'pending']))
  const borrowed = isAddressEqual(delegateIn(await node('eth_getCode', [own, 'latest'])), delegate)
  // The transaction uses the nonce; the authorization needs the next one.
  const authorization = borrowed
    ? []
    : [await account.signAuthorization({ address: delegate, chainId, nonce: nonce + 1 })]
  const authorizationList = authorization.map((signed) => formatAuthorization(signed))
  const gas = await node('eth_estimateGas', [
    { from: own, to: own, data, ...(!borrowed && { authorizationList }) },
  ])
  const gasPrice = hexToBigInt(await node('eth_gasPrice', []))
  const unsigned = {
    chainId,
    nonce,
    to: own,
    data,
    gas: (hexToBigInt(gas) * 13n) / 10n,
    maxFeePerGas: gasPrice * 2n,
    maxPriorityFeePerGas: hexToBigInt(await node('eth_maxPriorityFeePerGas', [])),
  }
  const signed = borrowed
    ? await account.signTransaction({ ...unsigned, type: 'eip1559' })
    : await account.signTransaction({ ...unsigned, type: 'eip7702', authorizationList: authorization })
  return node('eth_sendRawTransaction', [signed])
}

/**
 * Returns the contract that an account delegates to.
 *
 * @param {`0x${string}`} code of an account
 * @returns {`0x${string}`} the zero address if it delegates to none
 */
function delegateIn(code) {
  return code.startsWith(DELEGATION) ? `0x${code.slice(DELEGATION.length)}` : zeroAddress
}

/** @param {import('viem').SignedAuthorization} authorization */
function formatAuthorization({ address, chainId, nonce, r, s, yParity }) {
  return {
    address,
    chainId: numberToHex(chainId),
    nonce: numberToHex(nonce),
    r,
    s,
    yParity: numberToHex(yParity ?? 0),
  }
}
