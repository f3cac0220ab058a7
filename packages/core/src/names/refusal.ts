import { GatewayError } from '@hawser/client'

/** Why the gateway refused, in its own words; undefined when it gave no reason, or no answer. */
export function refusalReason(error: unknown): string | undefined {
  return error instanceof GatewayError ? error.text : undefined
}
