import { GatewayError } from '@hawser/client'
import type { SwapProblem } from '../types/swap.ts'

/** Problems by the gateway's reason. */
const problems: Readonly<Record<string, SwapProblem>> = {
  ROUTE_ABSENT: 'noRoute',
  CONVERSION_INVALID: 'noRoute',
  LIQUIDITY_INSUFFICIENT: 'insufficientLiquidity',
  AMOUNT_INVALID: 'amountInvalid',
  TOKEN_TAKES_FEE: 'tokenTakesFee',
  TRANSACTION_REVERTS: 'reverts',
}

/** Returns the problem of a reason; `unavailable` for any reason that is not about the swap. */
export function problemOfCode(code: string | undefined): SwapProblem {
  return problems[code ?? ''] ?? 'unavailable'
}

export function problemOf(error: unknown): SwapProblem {
  return error instanceof GatewayError ? problemOfCode(error.reason) : 'unavailable'
}

/** True if the gateway refused with this reason. */
export function isRefusedFor(error: unknown, code: string): boolean {
  return error instanceof GatewayError && error.reason === code
}
