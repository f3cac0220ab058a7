import { type AccountOwner, activeOwner } from '../account/owner.ts'
import { adapterOf, nodeOf } from '../chain/adapters.ts'
import { toasts } from '../errors/catalogue.ts'
import { words } from '../evm/evmCalls.ts'
import { convertClient } from '../gateway/clients.ts'
import { showToast } from '../toast/toast.ts'
import type { ContractCall } from '../types/adapter.ts'
import type { Hawser } from '../types/hawser.ts'
import type { SwapQuote, SwapStep, SwapStepKind, SwapToken } from '../types/swap.ts'
import { currentQuote } from './amounts.ts'
import { chosenQuote } from './order.ts'
import { isRefusedFor } from './problems.ts'
import { isNativeSwapToken, plainAddress } from './tokens.ts'
import { swapContractsOf } from './verify/contracts.ts'
import { refuse, VerificationError } from './verify/refusal.ts'
import { APPROVE_SELECTOR, requireRouter } from './verify/verifyCalls.ts'

/** How the spender comes to be allowed to take what is sold. */
export type SwapPlan =
  /** It is allowed already, or nobody has to be. */
  | { readonly kind: 'allowed' }
  /**
   * Approvals and swap go in one batch.
   *
   * @property approvals that the swap needs, unless the gateway's own batch begins with them.
   */
  | { readonly kind: 'batch'; readonly approvals: readonly ContractCall[] }
  /** @property typedData JSON. */
  | { readonly kind: 'permit'; readonly typedData: string }
  | ApprovalPlan

export interface ApprovalPlan {
  readonly kind: 'approve'
  readonly calls: readonly ContractCall[]
}

export interface PlanSubject {
  readonly owner: AccountOwner
  readonly quote: SwapQuote
  readonly sourceToken: SwapToken
  readonly isAtomic: boolean
}

/** Finds out what the wallet will be asked for, so that the visitor sees it beforehand. Never throws. */
export async function planSwap(hawser: Hawser): Promise<void> {
  const swap = hawser.swap.getState()
  const owner = activeOwner(hawser)
  const quote = currentQuote(swap)
  if (!quote || !owner || !swap.sourceToken || swap.status !== 'draft') return
  const { isCurrent, signal } = hawser.latest.begin('swap:plan')
  try {
    const subject = { owner, quote, sourceToken: swap.sourceToken, isAtomic: swap.isAtomic === true }
    const plan = await readPlan(hawser, subject, signal)
    if (isCurrent()) hawser.swap.setState({ steps: stepsOf(plan) })
  } catch (error) {
    if (!isCurrent()) return
    if (error instanceof VerificationError) hawser.swap.setState({ refusal: error.message })
    else showToast(hawser, { message: toasts.allowanceFailed, variant: 'error' })
  }
}

/** @throws VerificationError, or what a call throws (see `createTransport`). */
export async function readPlan(
  hawser: Hawser,
  subject: PlanSubject,
  signal?: AbortSignal,
): Promise<SwapPlan> {
  const { sourceToken, isAtomic } = subject
  if (subject.quote.spender) requireSpender(hawser, subject)
  if (isBatch(subject)) return { kind: 'batch', approvals: [] }
  if (await hasAllowance(hawser, subject, signal)) return { kind: 'allowed' }
  if (isAtomic) {
    return { kind: 'batch', approvals: (await readApproval(hawser, subject, signal)).calls }
  }
  const permit = sourceToken.eip2612 ? await readPermit(hawser, subject, signal) : undefined
  return permit ?? readApproval(hawser, subject, signal)
}

/** Whom the visitor is asked to allow: the quote says who, but only a contract that the page knows is taken. */
function requireSpender(hawser: Hawser, { quote, owner }: Pick<PlanSubject, 'owner' | 'quote'>): string {
  const { spender } = quote
  const contracts = swapContractsOf(hawser, owner.network.caipNetworkId)
  if (!spender) return refuse('The quote names nobody to allow')
  requireRouter(contracts, spender)
  return spender
}

/** A token that is sold with no spender named goes to the routers of a batch, or into the wrapper. */
function isBatch({ quote, sourceToken, isAtomic }: PlanSubject): boolean {
  if (!isAtomic) return false
  const isTraded = quote.route.some(({ hops }) => hops.some(({ kind }) => kind !== 'wrap'))
  return quote.calls > 1 || (!quote.spender && !isNativeSwapToken(sourceToken) && isTraded)
}

/** What the wallet is asked for, in order. */
export function stepsOf(plan: SwapPlan): readonly SwapStep[] {
  return kindsOf(plan).map((kind) => ({ kind, state: 'next' }))
}

function kindsOf(plan: SwapPlan): readonly SwapStepKind[] {
  if (plan.kind === 'allowed') return ['swap']
  if (plan.kind === 'batch') return ['batch']
  if (plan.kind === 'permit') return ['permit', 'swap']
  return plan.calls.length > 1 ? ['reset', 'approve', 'swap'] : ['approve', 'swap']
}

async function hasAllowance(
  hawser: Hawser,
  { quote, owner }: PlanSubject,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { spender, from, fromAmount } = quote
  if (!spender) return true
  const question = { tokenAddress: from, userAddress: owner.caipAddress, spender }
  const { allowance } = await (await convertClient(hawser)).getAllowance(question, optionsOf(signal))
  return BigInt(allowance) >= fromAmount
}

/** Undefined when the token knows no permits after all, or when a contract holds it, which signs nothing. */
async function readPermit(
  hawser: Hawser,
  subject: PlanSubject,
  signal: AbortSignal | undefined,
): Promise<SwapPlan | undefined> {
  const { address, network } = subject.owner
  const contracts = await adapterOf(hawser, network.chainNamespace).contracts()
  if (await contracts.isContract(nodeOf(hawser, network), address, signal)) return undefined
  try {
    const { amount, from, userAddress, quoteId } = chosenQuote(subject)
    const question = { amount, from, userAddress, quoteId }
    const { typedData } = await (await convertClient(hawser)).getPermit(question, optionsOf(signal))
    return { kind: 'permit', typedData }
  } catch (error) {
    if (isRefusedFor(error, 'PERMIT_UNSUPPORTED')) return undefined
    throw error
  }
}

/**
 * The approvals to be sent: of exactly what is sold, and before it one of nothing where the token asks for that. Only
 * whether it does is the gateway's to say.
 *
 * @throws VerificationError, or what a call throws (see `createTransport`).
 */
export async function readApproval(
  hawser: Hawser,
  subject: Pick<PlanSubject, 'owner' | 'quote'>,
  signal?: AbortSignal,
): Promise<ApprovalPlan> {
  const { from, fromAmount } = subject.quote
  const spender = requireSpender(hawser, subject)
  const { tx } = await (await convertClient(hawser)).buildApprove(chosenQuote(subject), optionsOf(signal))
  const amounts = tx?.reset ? [0n, fromAmount] : [fromAmount]
  const calls = amounts.map((amount) => ({
    to: plainAddress(from),
    data: approveData(spender, amount),
    value: 0n,
  }))
  return { kind: 'approve', calls }
}

/** Call data of an approval. */
export function approveData(spender: string, amount: bigint): string {
  return APPROVE_SELECTOR + words(BigInt(spender), amount)
}

function optionsOf(signal: AbortSignal | undefined) {
  return signal ? { signal } : {}
}
