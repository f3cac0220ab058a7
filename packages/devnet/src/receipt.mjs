import { setTimeout as sleep } from 'node:timers/promises'
import { TransactionReceiptNotFoundError } from 'viem'

/**
 * Returns the receipt of a transaction once it is in a block of a local chain. viem's waitForTransactionReceipt looks again only after another block, and
 * a node can count a block before it has the receipts of it: on a chain that makes blocks for transactions alone it would wait for ever.
 *
 * @param {Pick<import('viem').PublicClient, 'getTransactionReceipt'>} client
 * @param {`0x${string}`} hash
 * @param {number} [timeout] milliseconds
 */
export async function receiptOf(client, hash, timeout = 30_000) {
  for (const deadline = Date.now() + timeout; ; await sleep(20)) {
    try {
      return await client.getTransactionReceipt({ hash })
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError) || Date.now() > deadline) throw error
    }
  }
}
