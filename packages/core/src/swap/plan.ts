import type { AccountOwner } from '../account/owner.ts'
import { plainAddress } from '../address/plainAddress.ts'
import { contractsOf, nodeOf } from '../chain/adapters.ts'
import { approveData } from '../evm/evmCalls.ts'
import { convertClient } from '../gateway/clients.ts'
import type { ContractCall } from '../types/adapter.ts'
import type { Hawser } from '../types/hawser.ts'
import type { SwapQuote, SwapStep, SwapStepKind, SwapToken } from '../types/swap.ts'
import { chosenQuote } from './order.ts'
import { isRefusedFor } from './problems.ts'
import { isNativeSwapToken } from './tokens.ts'
import { isPermit2, requireRouter, swapContractsOf, universalRouterOf } from './verify/contracts.ts'
import { refuse } from './verify/refusal.ts'

/** How the spender gets its allowance. */
export type SwapPlan =
  /** The allowance suffices, or none is needed. */
  | { readonly kind: 'allowed' }
  /**
   * The wallet makes approvals and swap in one atomic batch (EIP-5792).
   *
   * @property approvals calls before the swap, unless the gateway's batch begins with its own.
   */
  | { readonly kind: 'batch'; readonly approvals: readonly ContractCall[] }
  | PermitPlan
  | ApprovalPlan

/** The owner signs: instead of an approval (EIP-2612), or for a router after the approval of Permit2. */
export interface PermitPlan {
  readonly kind: 'permit'
  /** The approvals of Permit2 that come first; empty if its allowance suffices. */
  readonly approvals: readonly ContractCall[]
  /** JSON for `eth_signTypedData_v4`. */
  readonly typedData: string
}

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

/**
 * Reads how the spender of a quote gets its allowance.
 *
 * @throws VerificationError, or what a call throws (see `createTransport`).
 */
export async function readPlan(
  hawser: Hawser,
  subject: PlanSubject,
  signal?: AbortSignal,
): Promise<SwapPlan> {
  const { sourceToken, isAtomic } = subject
  if (subject.quote.spender) requireSpender(hawser, subject)
  if (isBatch(subject)) return { kind: 'batch', approvals: [] }
  if (isPermit2(subject.quote.spender) && !isAtomic) return readPermit2Plan(hawser, subject, signal)
  if (await hasAllowance(hawser, subject, signal)) return { kind: 'allowed' }
  if (isAtomic) {
    return { kind: 'batch', approvals: (await readApproval(hawser, subject, signal)).calls }
  }
  const permit = sourceToken.eip2612 ? await readPermit(hawser, subject, signal) : undefined
  return permit ?? readApproval(hawser, subject, signal)
}

/**
 * Returns the plan for a quote whose spender is Permit2: approve it, unless it is approved, and sign for the
 * router, unless an earlier signature still covers the amount.
 *
 * @throws what a call throws; a GatewayError of PERMIT_UNSUPPORTED if Permit2 would not accept the account's
 * signature.
 */
async function readPermit2Plan(
  hawser: Hawser,
  subject: PlanSubject,
  signal: AbortSignal | undefined,
): Promise<SwapPlan> {
  const typedData = await requestPermit(hawser, subject, signal)
  const isAllowed = await hasAllowance(hawser, subject, signal)
  const approvals = isAllowed ? [] : (await readApproval(hawser, subject, signal)).calls
  if (typedData) return { kind: 'permit', approvals, typedData }
  return isAllowed ? { kind: 'allowed' } : { kind: 'approve', calls: approvals }
}

/** Returns the spender of the quote. @throws VerificationError unless it is Permit2, or one of the contracts that the page was built with. */
function requireSpender(hawser: Hawser, { quote, owner }: Pick<PlanSubject, 'owner' | 'quote'>): string {
  const { spender } = quote
  const contracts = swapContractsOf(hawser, owner.network.caipNetworkId)
  if (!spender) return refuse('noSpender')
  if (isPermit2(spender)) universalRouterOf(contracts)
  else requireRouter(contracts, spender)
  return spender
}

/**
 * Reports whether the gateway builds the batch: a quote without a spender that sells a token through pools
 * uses several routers.
 */
function isBatch({ quote, sourceToken, isAtomic }: PlanSubject): boolean {
  if (!isAtomic) return false
  const isTraded = quote.route.some(({ hops }) => hops.some(({ kind }) => kind !== 'wrap'))
  return quote.calls > 1 || (!quote.spender && !isNativeSwapToken(sourceToken) && isTraded)
}

/** Returns the prompts of the wallet, in order. */
export function stepsOf(plan: SwapPlan): readonly SwapStep[] {
  return kindsOf(plan).map((kind) => ({ kind, state: 'next' }))
}

function kindsOf(plan: SwapPlan): readonly SwapStepKind[] {
  if (plan.kind === 'allowed') return ['swap']
  if (plan.kind === 'batch') return ['batch']
  if (plan.kind === 'permit') return [...approvalKinds(plan.approvals), 'permit', 'swap']
  return [...approvalKinds(plan.calls), 'swap']
}

/**
 * Returns the kinds of approval calls. The last call approves the amount; one before it resets the allowance.
 */
function approvalKinds(calls: readonly ContractCall[]): readonly SwapStepKind[] {
  return calls.map((_, index) => (index < calls.length - 1 ? 'reset' : 'approve'))
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

/**
 * Reads the permit of a token; undefined if the token takes none, or if the account is a contract, which
 * cannot sign one.
 */
async function readPermit(
  hawser: Hawser,
  subject: PlanSubject,
  signal: AbortSignal | undefined,
): Promise<SwapPlan | undefined> {
  const { address, network } = subject.owner
  const contracts = await contractsOf(hawser, network.chainNamespace)
  if (await contracts.isContract(nodeOf(hawser, network), address, signal)) return undefined
  try {
    return { kind: 'permit', approvals: [], typedData: await requestPermit(hawser, subject, signal) }
  } catch (error) {
    if (isRefusedFor(error, 'PERMIT_UNSUPPORTED')) return undefined
    throw error
  }
}

async function requestPermit(
  hawser: Hawser,
  subject: PlanSubject,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { amount, from, userAddress, quoteId } = chosenQuote(subject)
  const question = { amount, from, userAddress, quoteId }
  const { typedData } = await (await convertClient(hawser)).getPermit(question, optionsOf(signal))
  return typedData
}

/**
 * Builds the approvals: of exactly the sold amount, after one of zero if the gateway says that the token requires it.
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

function optionsOf(signal: AbortSignal | undefined) {
  return signal ? { signal } : {}
}
