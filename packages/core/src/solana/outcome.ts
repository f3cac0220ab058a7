import type { ReceiptStatus } from '../types/adapter.ts'
import type { NodeRequest } from '../types/environment.ts'

/** The last block height at which each sent transaction can be included, by its signature. */
export type Expiries = Map<string, bigint>

/**
 * Blocks that a node may be behind another one: the height and the status of a signature may be of different nodes
 * behind one URL.
 */
const EXPIRY_MARGIN = 32n

interface SignatureStatus {
  readonly err: unknown
  readonly confirmationStatus?: 'processed' | 'confirmed' | 'finalized'
}

/**
 * Reads the outcome of a transaction from the status of its signature. A transaction that is in no block
 * after the last block height of its blockhash cannot be included any more. It is `expired` once nodes that
 * are behind have reached that height too.
 *
 * @param lastHeight undefined when it is not known: the transaction is `unknown` then while it has no status.
 */
export async function readOutcome(
  node: NodeRequest,
  signature: string,
  lastHeight: bigint | undefined,
  signal?: AbortSignal,
): Promise<ReceiptStatus> {
  // The height is read first: a transaction that is included between the two requests must not count as expired.
  const height =
    lastHeight === undefined ? undefined : await node('getBlockHeight', [{ commitment: 'confirmed' }], signal)
  const params = [[signature], { searchTransactionHistory: true }]
  const { value } = (await node('getSignatureStatuses', params, signal)) as {
    value: readonly (SignatureStatus | null)[]
  }
  const status = value[0]
  if (!status) {
    if (lastHeight === undefined) return 'unknown'
    return BigInt(height as number) > lastHeight + EXPIRY_MARGIN ? 'expired' : 'pending'
  }
  if (status.err !== null) return 'reverted'
  return status.confirmationStatus === 'processed' ? 'pending' : 'success'
}
