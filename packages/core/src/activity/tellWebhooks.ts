import type { SentTransaction } from '../types/activity.ts'
import type { Hawser } from '../types/hawser.ts'

/**
 * Names a transaction of an EVM chain to the gateway, with the feature `transactionWebhooks`: the webhooks of the site tell
 * when it is final. Does not wait, and drops a request that fails.
 *
 * @param hash - where it differs from the one that was sent, as that of a batch; a batch without one is not named.
 */
export function tellWebhooks(
  { options, client }: Hawser,
  { transaction: { metadata } }: SentTransaction,
  hash: string = metadata.hash,
): void {
  const isTold =
    options.getState().features.transactionWebhooks && metadata.chain.startsWith('eip155:') && hash
  if (!isTold) return
  const body = { chainId: metadata.chain, hash }
  client.rest('/v1/webhooks/transactions', { body, keepalive: true }).catch(() => undefined)
}
