import { type MessageData, messageData } from '@hawser/client'
import type { Order, OrderState } from '@hawser/client/onramp'
import { activeOwner } from '../account/owner.ts'
import { onrampClient } from '../gateway/clients.ts'
import { retryWhileFailing } from '../retryWhileFailing.ts'
import { items } from '../storage/items.ts'
import { plainAddress } from '../swap/tokens.ts'
import type { Hawser } from '../types/hawser.ts'
import type { CaipAddress } from '../types/network.ts'
import type { BuyOrder, BuyOrderState, OnrampState } from '../types/onramp.ts'
import { initialOnramp } from './draft.ts'
import { orderTokens, orderTokensHeader } from './orderTokens.ts'
import { isMoney } from './quotes.ts'
import { settleOrder } from './settle.ts'

/** Whether something may still happen to an order. */
export function isOpenOrder({ state }: BuyOrder): boolean {
  return state === 'created' || state === 'pending' || state === 'paid'
}

/**
 * Another account begins with nothing. On another network the account's orders stay, and the token that was chosen is
 * looked for there.
 */
export function takeOwner(hawser: Hawser, owner: CaipAddress | undefined): void {
  const state = hawser.onramp.getState()
  if (state.owner === owner) return
  const { amount, currency, method, wanted } = state
  if (sameAddress(state.owner, owner)) {
    const token = wanted.token ?? state.token?.symbol
    hawser.onramp.setState({
      owner,
      isLoaded: false,
      token: undefined,
      wanted: { ...wanted, ...(token && { token }) },
    })
  } else hawser.onramp.setState({ ...initialOnramp, owner, wanted, amount, currency, method }, true)
}

function sameAddress(a: CaipAddress | undefined, b: CaipAddress | undefined): boolean {
  return a !== undefined && b !== undefined && plainAddress(a).toLowerCase() === plainAddress(b).toLowerCase()
}

/** Reads the newest page of the account's orders. Never throws: the state says when it failed. */
export function fetchOrders(hawser: Hawser): Promise<void> {
  return readPage(hawser, 'newest', undefined)
}

/**
 * Reads the newest page of the account's orders now, and again while that fails.
 *
 * @returns what stops it.
 */
export function watchOrders(hawser: Hawser): () => void {
  const { run, stop } = retryWhileFailing(hawser, {
    read: () => fetchOrders(hawser),
    hasFailed: () => hawser.onramp.getState().haveOrdersFailed,
  })
  run()
  return stop
}

/** Reads the next older page; nothing while a page is being read, or when there is none. Never throws. */
export async function fetchOlderOrders(hawser: Hawser): Promise<void> {
  const { nextOrders, readingOrders } = hawser.onramp.getState()
  if (nextOrders && !readingOrders) await readPage(hawser, 'older', nextOrders)
}

async function readPage(
  hawser: Hawser,
  readingOrders: 'newest' | 'older',
  cursor: string | undefined,
): Promise<void> {
  const owner = activeOwner(hawser)
  takeOwner(hawser, owner?.caipAddress)
  if (!owner) return
  const { isCurrent, signal } = hawser.latest.begin('onramp:orders')
  hawser.onramp.setState({ readingOrders })
  try {
    const onramp = await onrampClient(hawser)
    const page = await onramp.listOrders(
      { address: owner.address, cursor: cursor ?? '' },
      { signal, headers: orderTokensHeader(orderTokens(hawser)) },
    )
    if (!isCurrent()) return
    for (const order of page.orders) takeOrder(hawser, messageData(order))
    hawser.onramp.setState((state) => ({
      readingOrders: undefined,
      hasOrders: true,
      haveOrdersFailed: false,
      // A first page read again says nothing of how far the visitor has read.
      nextOrders: cursor || !state.hasOrders ? page.next || undefined : state.nextOrders,
    }))
  } catch {
    if (isCurrent()) hawser.onramp.setState({ readingOrders: undefined, haveOrdersFailed: true })
  }
}

/** Asks what became of one order. @throws what a call throws (see `createTransport`). */
export async function fetchOrder(hawser: Hawser, id: string): Promise<void> {
  const { isCurrent, signal } = hawser.latest.begin(`onramp:order:${id}`)
  const { order } = await (await onrampClient(hawser)).getOrder({ id }, { signal })
  if (order && isCurrent()) takeOrder(hawser, messageData(order))
}

/** Puts an order in its place; what is older than what is known of it is not heard. Tells the visitor when it ends. */
export function takeOrder(hawser: Hawser, answer: MessageData<Order>): BuyOrder | undefined {
  const order = readOrder(answer)
  const state = hawser.onramp.getState()
  if (!order || !isOwn(state, order)) return undefined
  const before = state.orders.find(({ id }) => id === order.id)
  if (before && before.updatedAt > order.updatedAt) return before
  const others = state.orders.filter(({ id }) => id !== order.id)
  hawser.onramp.setState({ orders: [...others, order].sort(newestFirst) })
  const wasOpen = before ? isOpenOrder(before) : openOrderIds(hawser).includes(order.id)
  if (isOpenOrder(order)) rememberOpen(hawser, order)
  else forgetOpen(hawser, order.id)
  if (wasOpen && !isOpenOrder(order)) settleOrder(hawser, order)
  return order
}

function isOwn({ owner }: OnrampState, { address }: BuyOrder): boolean {
  return owner !== undefined && plainAddress(owner).toLowerCase() === address.toLowerCase()
}

function newestFirst(a: BuyOrder, b: BuyOrder): number {
  return b.createdAt - a.createdAt || (b.id > a.id ? 1 : -1)
}

/** Undefined for a state that this page does not know. */
function readOrder(order: MessageData<Order>): BuyOrder | undefined {
  const state = states[order.state]
  return (
    state && {
      id: order.id,
      seller: order.serviceProvider,
      title: order.title || order.serviceProvider,
      state,
      reason: order.reason,
      address: order.walletAddress,
      chainId: order.chainId,
      payment: isMoney(order.payment) ? order.payment : undefined,
      purchase: isMoney(order.purchase) ? order.purchase : undefined,
      transaction: order.transaction,
      createdAt: Date.parse(order.createdAt),
      updatedAt: Date.parse(order.updatedAt),
      isSandbox: order.sandbox,
    }
  )
}

/** By `hawser.onramp.v1.OrderState`; written out, so that the descriptors load with the first call alone. */
const states: Readonly<Record<OrderState, BuyOrderState | undefined>> = [
  undefined,
  'created',
  'expired',
  'pending',
  'paid',
  'cancelled',
  'failed',
  'completed',
  'refunded',
]

// What is open is remembered, so that the next load of the page asks for it, and only then.

/** At most so many are remembered; the list of orders knows them all. */
const MOST_REMEMBERED = 20

/** Accounts by the ids of their orders, in lower case. */
type OpenOrders = Readonly<Record<string, string>>

/** Ids of the owner's orders that were open when this browser last heard of them. */
export function openOrderIds(hawser: Hawser): readonly string[] {
  const { owner } = hawser.onramp.getState()
  if (!owner) return []
  const address = plainAddress(owner).toLowerCase()
  return Object.entries(remembered(hawser)).flatMap(([id, account]) => (account === address ? [id] : []))
}

function remembered(hawser: Hawser): OpenOrders {
  const orders = hawser.storage.read<OpenOrders>(items.openOrders)
  return orders !== null && typeof orders === 'object' ? orders : {}
}

function rememberOpen(hawser: Hawser, { id, address }: BuyOrder): void {
  const orders = remembered(hawser)
  if (orders[id]) return
  const newest = [[id, address.toLowerCase()], ...Object.entries(orders)].slice(0, MOST_REMEMBERED)
  hawser.storage.write(items.openOrders, Object.fromEntries(newest))
}

export function forgetOpen(hawser: Hawser, id: string): void {
  const { [id]: _, ...others } = remembered(hawser)
  if (Object.keys(others).length > 0) hawser.storage.write(items.openOrders, others)
  else hawser.storage.remove(items.openOrders)
}
