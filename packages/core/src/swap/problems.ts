import { GatewayError } from '@hawser/client'
import type { SwapProblem } from '../types/swap.ts'

/** What the gateway's reasons mean to the visitor. */
const problems: Readonly<Record<string, SwapProblem>> = {
  ROUTE_ABSENT: 'noRoute',
  CONVERSION_INVALID: 'noRoute',
  LIQUIDITY_INSUFFICIENT: 'insufficientLiquidity',
  AMOUNT_INVALID: 'amountInvalid',
  TOKEN_TAKES_FEE: 'tokenTakesFee',
  TRANSACTION_REVERTS: 'reverts',
}

/** Reads a reason of the gateway; what is none of the swap's own means that it cannot be asked. */
export function problemOfCode(code: string | undefined): SwapProblem {
  return problems[code ?? ''] ?? 'unavailable'
}

export function problemOf(error: unknown): SwapProblem {
  return error instanceof GatewayError ? problemOfCode(error.reason) : 'unavailable'
}

/** True when the gateway refused for exactly this reason. */
export function isRefusedFor(error: unknown, code: string): boolean {
  return error instanceof GatewayError && error.reason === code
}
