import { object, optional, type Schema, text } from '@hawser/frame/protocol'
import { isAddress } from 'viem'
import { evmChainId } from './chainId.ts'
import { FrameError, providerErrorCode } from './frameError.ts'
import type { Node } from './node.ts'

/** A transaction as a site requests it: quantities and bytes are hexadecimal, and what is missing is filled in. */
export interface TransactionRequest {
  readonly from?: string
  readonly to?: string
  readonly data?: string
  readonly input?: string
  readonly value?: string
  readonly gas?: string
  readonly gasPrice?: string
  readonly maxFeePerGas?: string
  readonly maxPriorityFeePerGas?: string
  readonly nonce?: string
  readonly chainId?: string | number
}

/** The fees that a request names, in hexadecimal wei. */
type NamedFees = Pick<TransactionRequest, 'gasPrice' | 'maxFeePerGas' | 'maxPriorityFeePerGas'>

/** What the network takes for a transaction: quantities in wei. */
export type Fees =
  | { readonly type: 'eip1559'; readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  | { readonly type: 'legacy'; readonly gasPrice: bigint }

/** A transaction that can be signed: quantities in wei and units of gas. */
export type PreparedTransaction = {
  readonly chainId: number
  readonly nonce: number
  readonly to: `0x${string}` | undefined
  readonly value: bigint
  readonly data: `0x${string}`
  readonly gas: bigint
} & Fees

/**
 * The base fee can double within six blocks. With this factor a transaction stays valid while the user
 * decides.
 */
const BASE_FEE_FACTOR = 2n
/** A fee that a site names is pointed out above the first multiple of the usual one; a price above the second multiple of the network's is refused. */
const HIGH_FEE_FACTOR = 3n
const MAX_FEE_FACTOR = 10n
/** Wei for a unit of gas that a site may always name: networks without load charge nearly nothing. */
const SMALL_PRICE = 1_000_000_000n
/** Units of gas of a call that cannot be estimated: it would fail now, or depends on calls before it. */
export const UNKNOWN_GAS = 1_500_000n
/** Codes of nodes for a transaction that reverts, or that the account cannot pay for. */
const FAILURE_CODES: readonly number[] = [3, -32000, -32003, -32010, -32015]
/** Wei of a fee that is never pointed out: that of a transfer at the small price. */
const SMALL_FEE = 21_000n * SMALL_PRICE

const quantity = text(66, /^0x[0-9a-fA-F]+$/)
const bytes = text(undefined, /^0x([0-9a-fA-F]{2})*$/)
const address = text(42, /^0x[0-9a-fA-F]{40}$/)
/** An address whose checksum is right, if it has one: what is signed could not be encoded otherwise. */
const receiver: Schema<string> = (value): value is string => address(value) && isAddress(value)

const fields = object({
  from: optional(address),
  to: optional(receiver),
  data: optional(bytes),
  input: optional(bytes),
  value: optional(quantity),
  gas: optional(quantity),
  gasPrice: optional(quantity),
  maxFeePerGas: optional(quantity),
  maxPriorityFeePerGas: optional(quantity),
  nonce: optional(quantity),
})

/** Admits a transaction without what is not supported: access lists, blobs and authorizations. */
export const transactionRequest: Schema<TransactionRequest> = (value): value is TransactionRequest =>
  fields(value) &&
  (value.data === undefined || value.input === undefined || value.data === value.input) &&
  ['accessList', 'blobs', 'blobVersionedHashes', 'authorizationList'].every((name) => {
    const present = (value as Record<string, unknown>)[name]
    return present === undefined || (Array.isArray(present) && present.length === 0)
  })

/**
 * Fills in what a transaction lacks: nonce and gas from the network, and fees.
 *
 * @throws FrameError when it would fail, unless the gas is given.
 */
export async function prepareTransaction(
  node: Node,
  chainId: string,
  from: string,
  request: TransactionRequest,
  loadedFees: Promise<Fees> | Fees,
  loadedGas: Promise<bigint> = estimateGas(node, chainId, from, request).then((gas) => BigInt(gas as string)),
): Promise<PreparedTransaction> {
  const { to, value = '0x0' } = request
  const [nonce, gas, fees] = await Promise.all([
    request.nonce ?? node(chainId, 'eth_getTransactionCount', [from, 'pending']),
    loadedGas,
    loadedFees,
  ])
  if (!Number.isSafeInteger(Number(nonce)))
    throw new FrameError('The nonce of the transaction is too high', providerErrorCode.invalidParams)
  if (!Number.isSafeInteger(Number(gas)))
    throw new FrameError('The gas limit of the transaction is too high', providerErrorCode.invalidParams)
  return {
    chainId: evmChainId(chainId),
    nonce: Number(nonce),
    to: to as `0x${string}` | undefined,
    value: BigInt(value),
    data: dataOf(request),
    gas,
    ...fees,
  }
}

/** Returns the data of a transaction. */
export function dataOf({ data, input }: TransactionRequest): `0x${string}` {
  return (data ?? input ?? '0x') as `0x${string}`
}

/** Returns the units of gas of a transaction, in hex. @throws FrameError when it would fail */
export function estimateGas(
  node: Node,
  chainId: string,
  from: string,
  request: TransactionRequest,
): Promise<unknown> {
  const { to, value = '0x0' } = request
  const call = { from, ...(to ? { to } : {}), value: toQuantity(BigInt(value)), data: dataOf(request) }
  return node(chainId, 'eth_estimateGas', [call])
}

/** Returns the most that the network charges for a unit of gas, in wei. */
export function priceOf(fees: Fees): bigint {
  return fees.type === 'legacy' ? fees.gasPrice : fees.maxFeePerGas
}

/** Returns the fees of the network, in wei. */
export async function networkFees(node: Node, chainId: string): Promise<Fees> {
  const price = async () => BigInt((await node(chainId, 'eth_gasPrice', [])) as string)
  const block = (await node(chainId, 'eth_getBlockByNumber', ['latest', false])) as {
    baseFeePerGas?: string
  } | null
  if (!block?.baseFeePerGas) return { type: 'legacy', gasPrice: await price() }
  const baseFee = BigInt(block.baseFeePerGas)
  const maxPriorityFeePerGas = await priorityFee(node, chainId, baseFee, price)
  return {
    type: 'eip1559',
    maxFeePerGas: baseFee * BASE_FEE_FACTOR + maxPriorityFeePerGas,
    maxPriorityFeePerGas,
  }
}

/**
 * Returns the fees that a request names, or else those of the network.
 *
 * @throws FrameError -32602 when they are too far above those of the network
 */
export function feesOf(request: NamedFees, network: Fees): Fees {
  const fees = requestedFees(request, network)
  const price = priceOf(fees)
  if (price > SMALL_PRICE && price > priceOf(network) * MAX_FEE_FACTOR)
    throw new FrameError(
      'The fee of the transaction is far above that of the network',
      providerErrorCode.invalidParams,
    )
  return fees
}

/** Reports whether a fee is far above the usual one, both in wei. A small fee never is. */
export function isFarAbove(fee: bigint, usual: bigint): boolean {
  return fee > SMALL_FEE && fee > usual * HIGH_FEE_FACTOR
}

/** The gas of a transaction that is not sent yet. */
interface Gas {
  /** The limit that is signed. */
  readonly limit: bigint
  /** What the network estimates; where it does not, the limit, but at most `UNKNOWN_GAS`. */
  readonly usual: bigint
  /** Why the network says that the transaction would fail; undefined if it does not, and for a limit that the site names. */
  readonly failure: string | undefined
}

/**
 * Returns the gas of a request, also of one that would fail now.
 *
 * @throws FrameError -32602 for more gas than a block has, and when the network does not answer
 */
export async function gasOf(
  node: Node,
  chainId: string,
  from: string,
  request: TransactionRequest,
): Promise<Gas> {
  const estimating = estimateGas(node, chainId, from, request).then((gas) => BigInt(gas as string))
  if (request.gas === undefined) {
    return estimating.then(
      (gas) => ({ limit: gas, usual: gas, failure: undefined }),
      (error) => {
        // Other refusals say nothing about the transaction.
        if (!(error instanceof FrameError) || !FAILURE_CODES.includes(error.code)) throw error
        return { limit: UNKNOWN_GAS, usual: UNKNOWN_GAS, failure: error.message }
      },
    )
  }
  const limit = BigInt(request.gas)
  const [usual, block] = await Promise.all([
    estimating.catch(() => (limit < UNKNOWN_GAS ? limit : UNKNOWN_GAS)),
    node(chainId, 'eth_getBlockByNumber', ['latest', false]) as Promise<{ gasLimit?: string } | null>,
  ])
  if (block?.gasLimit !== undefined && limit > BigInt(block.gasLimit))
    throw new FrameError(
      'The gas limit of the transaction is higher than that of a block',
      providerErrorCode.invalidParams,
    )
  return { limit, usual, failure: undefined }
}

function requestedFees(request: NamedFees, network: Fees): Fees {
  if (request.gasPrice) return { type: 'legacy', gasPrice: BigInt(request.gasPrice) }
  if (network.type === 'legacy') return network
  const maxPriorityFeePerGas = BigInt(request.maxPriorityFeePerGas ?? network.maxPriorityFeePerGas)
  const raised = network.maxFeePerGas - network.maxPriorityFeePerGas + maxPriorityFeePerGas
  const maxFeePerGas = BigInt(request.maxFeePerGas ?? raised)
  if (maxFeePerGas < maxPriorityFeePerGas)
    throw new FrameError(
      'The fee of the transaction is lower than its priority fee',
      providerErrorCode.invalidParams,
    )
  return { type: 'eip1559', maxFeePerGas, maxPriorityFeePerGas }
}

/** Returns the priority fee. For a node that does not estimate it, the fee follows from the gas price. */
async function priorityFee(
  node: Node,
  chainId: string,
  baseFee: bigint,
  price: () => Promise<bigint>,
): Promise<bigint> {
  try {
    return BigInt((await node(chainId, 'eth_maxPriorityFeePerGas', [])) as string)
  } catch {
    const gasPrice = await price()
    return gasPrice > baseFee ? gasPrice - baseFee : 0n
  }
}

const toQuantity = (value: bigint) => `0x${value.toString(16)}`
