import type { Approval, Delegation } from '../types/access.ts'
import type { TokenBalance } from '../types/account.ts'

/**
 * Why an approval is dangerous.
 *
 * - `noCode`: the spender is an account of a key, which keeps to no rules.
 * - `unknownSpender`: a spender that is not known may take all of it.
 */
export type ApprovalDanger = 'noCode' | 'unknownSpender'

/** Returns why an approval is dangerous; undefined if nothing is known against it. */
export function approvalDanger({ spender, unlimited }: Approval): ApprovalDanger | undefined {
  if (spender.hasNoCode) return 'noCode'
  return unlimited && !spender.name ? 'unknownSpender' : undefined
}

/** Reports whether the account runs code that is not known, which may take everything. */
export function isUnknownDelegation({ name }: Delegation): boolean {
  return !name
}

/** What spenders could take at this moment. */
export interface TotalAtRisk {
  /** For display; undefined when no price is known. */
  readonly value: number | undefined
  /** Whether something is at risk whose price is not known. */
  readonly isPartial: boolean
}

/**
 * Sums up what is at risk. Several spenders of one token cannot take more of it than the account has.
 *
 * @param balances what the account holds, as far as it is read.
 */
export function totalAtRisk(approvals: readonly Approval[], balances: readonly TokenBalance[]): TotalAtRisk {
  const isExposed = ({ atRisk }: Approval) => /[1-9]/.test(atRisk)
  const valued = approvals.filter(({ value }) => value !== undefined)
  const tokens = new Set(valued.map(({ token }) => token.address))
  const values = [...tokens].map((token) => {
    const taken = valued.filter((approval) => approval.token.address === token).map(({ value = 0 }) => value)
    const held = balances.find(({ address }) => address?.toLowerCase() === token.toLowerCase())?.value ?? 0
    return Math.min(sum(taken), Math.max(held, ...taken))
  })
  return {
    value: values.length === 0 ? undefined : sum(values),
    isPartial: approvals.some((approval) => approval.value === undefined && isExposed(approval)),
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
