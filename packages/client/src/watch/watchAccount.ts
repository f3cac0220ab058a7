import type { Balance } from '../rest/responses.ts'
import { openStream, type StreamOptions } from './openStream.ts'

const PROCEDURE = '/hawser.updates.v1.UpdatesService/WatchAccount'

export interface WatchQuestion extends StreamOptions {
  /** Plain address, without the CAIP prefix. */
  readonly address: string
  /** CAIP-2. */
  readonly chainId: string
  readonly currency: 'usd'
}

/** What a message of the stream says; `block` is the block it speaks of. */
export type AccountChange =
  /** All that the account holds now. */
  | { readonly kind: 'balances'; readonly block: bigint; readonly balances: readonly Balance[] }
  /** The history has other rows than before. */
  | { readonly kind: 'activity'; readonly block: bigint }
  /** How the account is shown may be another, on every chain. */
  | { readonly kind: 'identity'; readonly block: bigint }
  /** A purchase of the account moved, whichever chain it is for; without an id, any of them may have. */
  | { readonly kind: 'orders'; readonly block: bigint; readonly orderId: string }
  /** Nothing changed for a while. */
  | { readonly kind: 'alive'; readonly block: bigint }

/**
 * Opens `hawser.updates.v1.UpdatesService/WatchAccount` and yields what changes, all balances first. Ends when the
 * gateway ends it well.
 *
 * @throws what `openStream` throws.
 */
export async function* watchAccount(question: WatchQuestion): AsyncGenerator<AccountChange> {
  const { address, chainId, currency } = question
  for await (const message of openStream(question, PROCEDURE, { address, chainId, currency })) {
    yield accountChange(message)
  }
}

interface Message {
  readonly block?: string
  readonly balances?: { readonly balances?: readonly Partial<Balance>[] }
  readonly activity?: object
  readonly identity?: object
  readonly orders?: { readonly orderId?: string }
}

function accountChange({ block = '0', balances, activity, identity, orders }: Message): AccountChange {
  if (activity) return { kind: 'activity', block: BigInt(block) }
  if (identity) return { kind: 'identity', block: BigInt(block) }
  if (orders) return { kind: 'orders', block: BigInt(block), orderId: orders.orderId ?? '' }
  if (!balances) return { kind: 'alive', block: BigInt(block) }
  return { kind: 'balances', block: BigInt(block), balances: (balances.balances ?? []).map(withDefaults) }
}

/** A field that has its default value is left out of a Connect message. */
function withDefaults(balance: Partial<Balance>): Balance {
  const quantity = { decimals: '0', numeric: '0', ...balance.quantity }
  return { name: '', symbol: '', price: 0, iconUrl: '', ...balance, quantity }
}
