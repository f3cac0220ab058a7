import { InvalidResponseError } from '@hawser/client'
import type { SwapTransaction } from '@hawser/client/convert'
import { plainAddress } from '../address/plainAddress.ts'
import { APPROVE_SELECTOR } from '../evm/evmCalls.ts'
import { convertClient } from '../gateway/clients.ts'
import { importModule } from '../importModule.ts'
import type { ContractCall } from '../types/adapter.ts'
import type { Hawser } from '../types/hawser.ts'
import type { UnconfirmedBecause } from '../types/swap.ts'
import { chosenQuote, type SwapOrder } from './order.ts'
import { isRefusedFor } from './problems.ts'
import { unconfirmedBecause } from './unconfirmed.ts'
import { swapContractsOf } from './verify/contracts.ts'
import { refuse } from './verify/refusal.ts'
import { requireSettler } from './verify/settler.ts'

/** The node that the gateway reads may lag behind the one that returned the receipt of an approval. */
const ALLOWANCE_RETRIES = 5
const ALLOWANCE_RETRY_MS = 1_000

/** The largest plausible gas limit; above it the wallet's own estimate is used. */
const MOST_GAS = 10_000_000n

/** The price moved, and the swap would pay less than the minimum that was shown. */
export class PriceMovedError extends Error {
  override readonly name = 'PriceMovedError'
}

/** A verified swap, ready for the wallet. */
export interface BuiltSwap {
  /** One call, or a batch of them. */
  readonly calls: readonly ContractCall[]
  /** Gas units for a single call; undefined if unknown. */
  readonly gasLimit: bigint | undefined
  /** Base units of the bought token that are expected. */
  readonly toAmount: bigint
  /** Unix seconds until which it can be mined; 0n if unknown. */
  readonly deadline: bigint
  /** Whether the transaction was simulated. */
  readonly isConfirmed: boolean
  /** Why it was not simulated; undefined if it was. */
  readonly unconfirmedBecause: UnconfirmedBecause | undefined
}

export interface BuildOptions {
  readonly permit?: string | undefined
  /** Requests a batch, which begins with these unless the gateway includes approvals. */
  readonly approvals?: readonly ContractCall[] | undefined
}

/**
 * Requests the swap at the newest block, and verifies that it is the one that the visitor confirmed.
 *
 * @throws PriceMovedError, VerificationError, what a call throws (see `createTransport`), or why the code that verifies was not loaded.
 */
export async function buildSwap(
  hawser: Hawser,
  order: SwapOrder,
  options: BuildOptions = {},
): Promise<BuiltSwap> {
  const [tx, { verifyCalls }] = await Promise.all([
    askForTransaction(hawser, order, options),
    importModule(() => import('./verify/verifyCalls.ts'), 'verifyCalls'),
  ])
  if (BigInt(tx.toAmountMin) < order.minimum) throw new PriceMovedError()
  const { quote, owner } = order
  const calls = callsOf(tx, owner.network.caipNetworkId, options.approvals)
  const settlers = verifyCalls(calls, swapContractsOf(hawser, owner.network.caipNetworkId), {
    user: owner.address.toLowerCase(),
    sold: plainAddress(quote.from).toLowerCase(),
    bought: plainAddress(quote.to).toLowerCase(),
    amount: quote.fromAmount,
    minimum: order.minimum,
    now: Math.floor(hawser.clock.now() / 1_000),
  })
  await Promise.all([...settlers].map((settler) => requireSettler(hawser, order, settler)))
  const gasLimit = BigInt(tx.eip155?.gas || 0)
  return {
    calls,
    gasLimit: gasLimit > 0n && gasLimit <= MOST_GAS ? gasLimit : undefined,
    toAmount: BigInt(tx.amount),
    deadline: tx.deadline,
    isConfirmed: tx.confirmed,
    unconfirmedBecause: unconfirmedBecause(tx),
  }
}

async function askForTransaction(
  hawser: Hawser,
  order: SwapOrder,
  { permit, approvals }: BuildOptions,
): Promise<SwapTransaction> {
  const question = {
    ...chosenQuote(order),
    projectId: hawser.options.getState().projectId,
    eip155: { slippageBps: order.slippageBps, ...(permit && { permit }) },
    toAmountMin: order.minimum.toString(),
    // A batch includes its approvals, so the gateway must not check the allowance.
    ...(approvals && { batch: true, disableEstimate: true }),
  }
  for (let tries = 0; ; tries += 1) {
    try {
      const { tx } = await (await convertClient(hawser)).buildTransaction(question)
      if (!tx) throw new InvalidResponseError()
      return tx
    } catch (error) {
      if (isRefusedFor(error, 'PRICE_MOVED')) throw new PriceMovedError('The price moved', { cause: error })
      if (!isRefusedFor(error, 'ALLOWANCE_INSUFFICIENT') || tries >= ALLOWANCE_RETRIES) throw error
      await new Promise<void>((resolve) => hawser.clock.after(ALLOWANCE_RETRY_MS, resolve))
    }
  }
}

function callsOf(
  tx: SwapTransaction,
  caipNetworkId: string,
  approvals: readonly ContractCall[] | undefined,
): readonly ContractCall[] {
  if (!approvals) {
    if (!tx.to.startsWith(`${caipNetworkId}:`)) refuse('otherNetwork')
    return [{ to: plainAddress(tx.to), data: tx.data, value: BigInt(tx.value) }]
  }
  const calls = tx.calls.map(({ to, data, value }) => ({ to, data, value: BigInt(value) }))
  return calls.some(({ data }) => data.startsWith(APPROVE_SELECTOR)) ? calls : [...approvals, ...calls]
}
