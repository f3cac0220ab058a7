import { createConversions, type SwapTransaction } from '@hawser/client/convert'
import type { ContractCall } from '../types/adapter.ts'
import type { Hawser } from '../types/hawser.ts'
import { chosenQuote, type SwapOrder } from './order.ts'
import { APPROVE_SELECTOR } from './plan.ts'
import { isRefusedFor } from './problems.ts'
import { isNativeSwapToken, plainAddress } from './tokens.ts'

/** A node may not have the block of an approval yet when the next one already tells of it. */
const ALLOWANCE_RETRIES = 5
const ALLOWANCE_RETRY_MS = 1_000

/** The price moved, and the swap would pay less than was promised. */
export class PriceMovedError extends Error {
  override readonly name = 'PriceMovedError'
}

/** What the gateway built is not what was ordered. */
export class TransactionError extends Error {
  override readonly name = 'TransactionError'
}

/** The swap as the wallet is asked for it. */
export interface BuiltSwap {
  /** One call, or a batch of them. */
  readonly calls: readonly ContractCall[]
  /** Units for a single call; undefined when the gateway does not say. */
  readonly gasLimit: bigint | undefined
  /** Base units of the bought token that are expected. */
  readonly toAmount: bigint
  /** Unix seconds until which it can be mined; 0n when nobody says. */
  readonly deadline: bigint
}

export interface BuildOptions {
  readonly permit?: string | undefined
  /** Asks for a batch, which begins with these unless it has approvals of its own. */
  readonly approvals?: readonly ContractCall[] | undefined
}

/**
 * Has the swap built at the newest block, on the terms that the visitor agreed to.
 *
 * @throws PriceMovedError, TransactionError, or the errors of the REST client.
 */
export async function buildSwap(
  hawser: Hawser,
  order: SwapOrder,
  options: BuildOptions = {},
): Promise<BuiltSwap> {
  const tx = await askForTransaction(hawser, order, options)
  if (BigInt(tx.toAmountMin) < order.minimum) throw new PriceMovedError()
  const calls = callsOf(tx, options.approvals)
  checkCalls(calls, order)
  const gasLimit = BigInt(tx.eip155.gas || 0)
  return {
    calls,
    gasLimit: gasLimit > 0n ? gasLimit : undefined,
    toAmount: BigInt(tx.amount),
    deadline: BigInt(tx.deadline || 0),
  }
}

async function askForTransaction(
  hawser: Hawser,
  order: SwapOrder,
  { permit, approvals }: BuildOptions,
): Promise<SwapTransaction> {
  const question = {
    ...chosenQuote(order),
    slippageBps: order.slippageBps,
    toAmountMin: order.minimum.toString(),
    // The approvals of a batch come with it, so that they cannot be missed beforehand.
    ...(approvals && { batch: true, disableEstimate: true }),
    ...(permit && { permit }),
  }
  for (let tries = 0; ; tries += 1) {
    try {
      return (await createConversions(hawser.client).buildTransaction(question)).tx
    } catch (error) {
      if (isRefusedFor(error, 'PRICE_MOVED')) throw new PriceMovedError('The price moved', { cause: error })
      if (!isRefusedFor(error, 'ALLOWANCE_INSUFFICIENT') || tries >= ALLOWANCE_RETRIES) throw error
      await new Promise<void>((resolve) => hawser.clock.after(ALLOWANCE_RETRY_MS, resolve))
    }
  }
}

function callsOf(
  tx: SwapTransaction,
  approvals: readonly ContractCall[] | undefined,
): readonly ContractCall[] {
  if (!approvals) return [{ to: plainAddress(tx.to), data: tx.data, value: BigInt(tx.value) }]
  const calls = tx.calls.map(readCall)
  return calls.some(isApproval) ? calls : [...approvals, ...calls]
}

function isApproval({ data }: ContractCall): boolean {
  return data.startsWith(APPROVE_SELECTOR)
}

/** The visitor sends along what they sell and no more, and allows nobody to take more than that. */
function checkCalls(calls: readonly ContractCall[], { quote, sourceToken }: SwapOrder): void {
  const sold = isNativeSwapToken(sourceToken) ? quote.fromAmount : 0n
  const sentAlong = calls.reduce((sum, { value }) => sum + value, 0n)
  if (calls.length === 0 || sentAlong !== sold) throw new TransactionError('The swap sends another amount')
  for (const call of calls) {
    if (!/^0x[0-9a-f]{40}$/i.test(call.to)) throw new TransactionError('The swap calls no contract')
    if (isApproval(call) && approvedAmount(call) > quote.fromAmount) {
      throw new TransactionError('The swap approves more than is sold')
    }
  }
}

/** The second word of the call. */
function approvedAmount({ data }: ContractCall): bigint {
  return BigInt(`0x${data.slice(74, 138) || 0}`)
}

function readCall({ to, data, value }: { to: string; data: string; value: string }): ContractCall {
  return { to, data, value: BigInt(value) }
}
