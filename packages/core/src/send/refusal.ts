import { GatewayError, RpcError } from '@hawser/client'

/** Codes of a gateway that did not reach a node, or whose node did not respond in time. */
const unanswered: readonly string[] = [
  'unavailable',
  'deadline_exceeded',
  'internal',
  'unknown',
  'canceled',
  'aborted',
]

/**
 * Reports whether a failed request to send a transaction means that it was not sent. Otherwise it may have been sent,
 * and has to be followed by its id: a second one would pay twice.
 */
export function isRefused(error: unknown): boolean {
  return error instanceof RpcError || (error instanceof GatewayError && !unanswered.includes(error.code))
}
