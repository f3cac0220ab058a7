import { APPROVE_SELECTOR } from '../../evm/evmCalls.ts'
import type { ContractCall } from '../../types/adapter.ts'
import type { SwapContracts, SwapRouterKind } from '../../types/swapContracts.ts'
import { readArguments, splitCallData } from './abi.ts'
import { requireRouter } from './contracts.ts'
import { type CallReader, NATIVE, type SwapTerms } from './effect.ts'
import { refuse } from './refusal.ts'
import { readAlgebraRouter, readSwapRouter02, readV2Router, readV3Router, readWrapper } from './uniswap.ts'
import { readUniversalRouter } from './universalRouter.ts'
import { readOneInch, readZeroX } from './vendors.ts'

const readers: Readonly<Record<SwapRouterKind, CallReader>> = {
  'swap-router-02': readSwapRouter02,
  'v3-router': readV3Router,
  'algebra-router': readAlgebraRouter,
  'v2-router': readV2Router,
  'universal-router': readUniversalRouter,
  '1inch': readOneInch,
  '0x': readZeroX,
}

/**
 * Verifies that calls do nothing but the swap that the visitor confirmed, each of them to a pinned contract: they take exactly the amount, pay the visitor
 * at least the minimum, and approve exactly what each router takes.
 *
 * @returns the Settlers of 0x that the calls depend on, which must be checked with `requireSettler`.
 * @throws VerificationError
 */
export function verifyCalls(
  calls: readonly ContractCall[],
  contracts: SwapContracts,
  terms: Omit<SwapTerms, 'wrapped'>,
): ReadonlySet<string> {
  const wrapped = contracts.wrapped.toLowerCase()
  const approved = new Map<string, bigint>()
  const takenBy = new Map<string, bigint>()
  const settlers = new Set<string>()
  let paid = 0n
  for (const { to, data, value } of calls) {
    const target = to.toLowerCase()
    const { selector, body } = splitCallData(data)
    if (target === terms.sold && selector === APPROVE_SELECTOR) {
      const [spender, amount] = readApproval(body)
      if (value !== 0n || approved.get(spender) || takenBy.has(spender)) refuse('approvalOther')
      requireRouter(contracts, spender)
      approved.set(spender, amount)
      continue
    }
    const reader = target === wrapped ? readWrapper : readers[requireRouter(contracts, target)]
    const effect = reader(selector, body, { ...terms, wrapped, target, value })
    if (value !== (terms.sold === NATIVE ? effect.taken : 0n)) refuse('otherValue')
    takenBy.set(target, (takenBy.get(target) ?? 0n) + effect.taken)
    paid += effect.paid
    if (effect.settler) settlers.add(effect.settler)
  }
  const taken = [...takenBy.values()].reduce((sum, amount) => sum + amount, 0n)
  if (taken !== terms.amount) refuse('otherAmount')
  if (paid < terms.minimum || paid === 0n) refuse('paysLess')
  for (const [spender, amount] of approved) {
    if (amount !== takenBy.get(spender)) refuse('approvalAmount')
  }
  return settlers
}

/** Decodes spender and amount of `approve`; refuses any encoding but the canonical one. */
function readApproval(body: string): readonly [string, bigint] {
  if (body.length !== 128) refuse('approvalLength')
  return readArguments(['address', 'uint'], body)
}
