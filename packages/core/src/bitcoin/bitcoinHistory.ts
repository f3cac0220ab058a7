import type { Transaction } from '@hawser/client/bitcoin'
import { formatUnits } from '../amounts/units.ts'
import type { ActivityPage, ActivityTransaction } from '../types/activity.ts'
import type { Network } from '../types/network.ts'
import type { BitcoinReader } from './bitcoinAdapter.ts'

interface HistoryOptions {
  /** Unix milliseconds, for transactions that have no time yet. */
  readonly now: number
  readonly cursor: string | undefined
  readonly signal: AbortSignal | undefined
}

/** Reads a page of the transactions of an address, newest first. */
export async function readHistory(
  client: Awaited<ReturnType<BitcoinReader>>,
  network: Network,
  address: string,
  { now, cursor = '', signal }: HistoryOptions,
): Promise<ActivityPage> {
  const request = { chainId: network.caipNetworkId, address, cursor }
  const { transactions, next, tipHeight } = await client.listTransactions(request, signal ? { signal } : {})
  return {
    transactions: transactions.map((transaction) => rowOf(transaction, network, address, { now, tipHeight })),
    next: next || undefined,
    coverage: undefined,
  }
}

/** Returns a transaction as what it changed for an address: the fee is a part of what the address spent. */
function rowOf(
  { id, height, time, spent, received, fee, counterparties }: Transaction,
  { caipNetworkId, nativeCurrency: { name, symbol, decimals } }: Network,
  address: string,
  { now, tipHeight }: { readonly now: number; readonly tipHeight: bigint },
): ActivityTransaction {
  const change = BigInt(received) - BigInt(spent)
  const isOut = change < 0n
  const [other = '', ...others] = counterparties
  const party = others.length === 0 ? other : ''
  const [sender, recipient] = isOut ? [address, party] : [party, address]
  return {
    id: `${caipNetworkId}:${id}`,
    metadata: {
      operationType: isOut ? 'send' : 'receive',
      hash: id,
      minedAt: new Date(height > 0n ? Number(time) * 1_000 : now).toISOString(),
      sentFrom: sender,
      sentTo: recipient,
      status: height > 0n ? 'confirmed' : 'pending',
      nonce: 0,
      chain: caipNetworkId,
      block: height > 0n ? String(height) : '',
      ...(isOut && { fee }),
    },
    transfers: [
      {
        fungibleInfo: { name, symbol, decimals },
        direction: isOut ? 'out' : 'in',
        quantity: { numeric: formatUnits(isOut ? -change : change, decimals) },
        sender,
        recipient,
        spam: false,
      },
    ],
    spam: false,
    ...(height > 0n && tipHeight >= height && { confirmations: Number(tipHeight - height) + 1 }),
  }
}
