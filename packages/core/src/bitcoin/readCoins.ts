import type { BitcoinService } from '@hawser/client/bitcoin'
import type { Client } from '@hawser/client/connect'
import type { CaipNetworkId } from '../types/network.ts'
import { type Coin, sumOf } from './coins.ts'

/** What an address holds. */
export interface Holding {
  /** Outputs that can be spent: those of blocks first, each with the largest amount first. */
  readonly coins: readonly Coin[]
  /** Satoshis of all outputs, also of those that are kept or not listed. */
  readonly total: bigint
}

/** The address whose outputs are read. */
export interface Holder {
  readonly chainId: CaipNetworkId
  readonly address: string
  /** Satoshis up to which an output is kept, because it may hold an inscription. */
  readonly mostInscribed: bigint
}

/**
 * Reads the outputs of an address. An unconfirmed output is spent only if the address itself paid it. A
 * transaction of another sender can be replaced (BIP-125), which would invalidate the transfer that spends
 * it.
 */
export async function readCoins(
  client: Client<typeof BitcoinService>,
  { mostInscribed, ...account }: Holder,
  signal?: AbortSignal,
): Promise<Holding> {
  const options = signal ? { signal } : {}
  const { outputs, more } = await client.listUnspent(account, options)
  const all = outputs.map((output) => ({ ...output, amount: BigInt(output.amount) }))
  const settled = all.filter(({ height }) => height > 0n)
  const pending = all.filter(({ height }) => height === 0n)
  const own = pending.length > 0 ? await readOwnPending(client, account, signal) : new Set()
  const coins = [...settled, ...pending.filter(({ transactionId }) => own.has(transactionId))].filter(
    ({ amount }) => amount > mostInscribed,
  )
  if (!more) return { coins, total: sumOf(all) }
  const balance = await client.getBalance(account, options)
  return { coins, total: BigInt(balance.confirmed) + BigInt(balance.pending) }
}

/** Returns the ids of unconfirmed transactions that spend from the address. */
async function readOwnPending(
  client: Client<typeof BitcoinService>,
  account: Pick<Holder, 'chainId' | 'address'>,
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const { transactions } = await client.listTransactions(account, signal ? { signal } : {})
  return new Set(
    transactions.filter(({ height, spent }) => height === 0n && BigInt(spent) > 0n).map(({ id }) => id),
  )
}
