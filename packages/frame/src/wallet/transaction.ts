import { object, optional, type Schema, text } from '../protocol/schema.ts'
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

/** A transaction that can be signed: quantities in wei and units of gas. */
export type PreparedTransaction = {
  readonly chainId: number
  readonly nonce: number
  readonly to: `0x${string}` | undefined
  readonly value: bigint
  readonly data: `0x${string}`
  readonly gas: bigint
} & (
  | { readonly type: 'eip1559'; readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  | { readonly type: 'legacy'; readonly gasPrice: bigint }
)

/**
 * The base fee can double within six blocks. With this factor a transaction stays valid while the user
 * decides.
 */
const BASE_FEE_FACTOR = 2n

const quantity = text(66, /^0x[0-9a-f]+$/i)
const bytes = text(undefined, /^0x([0-9a-f]{2})*$/i)
const address = text(42, /^0x[0-9a-f]{40}$/i)

const fields = object({
  from: optional(address),
  to: optional(address),
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
  ['accessList', 'blobs', 'blobVersionedHashes', 'authorizationList'].every((name) => {
    const present = (value as Record<string, unknown>)[name]
    return present === undefined || (Array.isArray(present) && present.length === 0)
  })

/**
 * Fills in what a transaction lacks: nonce, gas and fees from the network.
 *
 * @throws FrameError when it would fail.
 */
export async function prepareTransaction(
  node: Node,
  chainId: string,
  from: string,
  request: TransactionRequest,
  nonceOffset = 0,
): Promise<PreparedTransaction> {
  const { to, value = '0x0' } = request
  const data = request.data ?? request.input ?? '0x'
  const call = { from, ...(to ? { to } : {}), value: toQuantity(BigInt(value)), data }
  const [nonce, gas, fees] = await Promise.all([
    request.nonce ?? node(chainId, 'eth_getTransactionCount', [from, 'pending']),
    request.gas ?? node(chainId, 'eth_estimateGas', [call]),
    feesOf(node, chainId, request),
  ])
  return {
    chainId: Number(chainId.slice('eip155:'.length)),
    nonce: Number(BigInt(nonce as string)) + (request.nonce ? 0 : nonceOffset),
    to: to as `0x${string}` | undefined,
    value: BigInt(value),
    data: data as `0x${string}`,
    gas: BigInt(gas as string),
    ...fees,
  }
}

/** Returns the most that the network charges for a transaction, in wei. */
export function maxFeeOf(transaction: PreparedTransaction): bigint {
  return transaction.gas * (transaction.type === 'legacy' ? transaction.gasPrice : transaction.maxFeePerGas)
}

async function feesOf(node: Node, chainId: string, request: TransactionRequest) {
  const price = async () => BigInt((await node(chainId, 'eth_gasPrice', [])) as string)
  if (request.gasPrice) return { type: 'legacy', gasPrice: BigInt(request.gasPrice) } as const
  const block = (await node(chainId, 'eth_getBlockByNumber', ['latest', false])) as {
    baseFeePerGas?: string
  } | null
  if (!block?.baseFeePerGas) return { type: 'legacy', gasPrice: await price() } as const
  const baseFee = BigInt(block.baseFeePerGas)
  const maxPriorityFeePerGas = request.maxPriorityFeePerGas
    ? BigInt(request.maxPriorityFeePerGas)
    : await priorityFee(node, chainId, baseFee, price)
  const maxFeePerGas = request.maxFeePerGas
    ? BigInt(request.maxFeePerGas)
    : baseFee * BASE_FEE_FACTOR + maxPriorityFeePerGas
  if (maxFeePerGas < maxPriorityFeePerGas)
    throw new FrameError(
      'The fee of the transaction is lower than its priority fee',
      providerErrorCode.invalidParams,
    )
  return { type: 'eip1559', maxFeePerGas, maxPriorityFeePerGas } as const
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
