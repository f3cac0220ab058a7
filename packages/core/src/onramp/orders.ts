import { type MessageData, messageData } from '@hawser/client'
import type { Order, OrderFailure, OrderState } from '@hawser/client/onramp'
import { activeOwner } from '../account/owner.ts'
import { plainAddress } from '../address/plainAddress.ts'
import { onrampClient } from '../gateway/clients.ts'
import { retryWhileFailing } from '../retryWhileFailing.ts'
import { items } from '../storage/items.ts'
import type { Hawser } from '../types/hawser.ts'
import type { CaipAddress } from '../types/network.ts'
import type { BuyFailure, BuyOrder, BuyOrderState, OnrampState } from '../types/onramp.ts'
import { initialOnramp } from './draft.ts'
import { orderTokens, orderTokensHeader } from './orderTokens.ts'
import { isMoney } from './quotes.ts'
import { settleOrder } from './settle.ts'

/** Reports whether an order is still open. */
export function isOpenOrder({ state }: BuyOrder): boolean {
  return state === 'created' || state === 'pending' || state === 'paid'
}

/**
 * Clears the state when the account changed. When only the network changed, the orders stay, and the selected token
 * is looked for on the new network.
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
  } else {
    hawser.latest.abandon('onramp:place')
    hawser.onramp.setState({ ...initialOnramp, owner, wanted, amount, currency, method }, true)
  }
}

function sameAddress(a: CaipAddress | undefined, b: CaipAddress | undefined): boolean {
  return a !== undefined && b !== undefined && plainAddress(a).toLowerCase() === plainAddress(b).toLowerCase()
}

/** Reads the newest page of the account's orders. Never throws: a failure is in the state. */
export function fetchOrders(hawser: Hawser): Promise<void> {
  return readPage(hawser, 'newest', undefined)
}

/**
 * Reads the newest page of the account's orders now, and repeatedly while it fails.
 *
 * @returns a function that stops it.
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
      // Reading the first page again keeps the cursor of the older pages.
      nextOrders: cursor || !state.hasOrders ? page.next || undefined : state.nextOrders,
    }))
  } catch {
    if (isCurrent()) hawser.onramp.setState({ readingOrders: undefined, haveOrdersFailed: true })
  }
}

/**
 * Requests one order.
 *
 * @throws what a call throws (see `createTransport`).
 */
export async function fetchOrder(hawser: Hawser, id: string): Promise<void> {
  const { isCurrent, signal } = hawser.latest.begin(`onramp:order:${id}`)
  const { order } = await (await onrampClient(hawser)).getOrder({ id }, { signal })
  if (order && isCurrent()) takeOrder(hawser, messageData(order))
}

/** Stores an order unless a newer state is known, and reports it when it has ended. */
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

/** Maps an order; undefined for an unknown state. */
function readOrder(order: MessageData<Order>): BuyOrder | undefined {
  const state = states[order.state]
  return (
    state && {
      id: order.id,
      seller: order.serviceProvider,
      title: order.title || order.serviceProvider,
      state,
      reason: order.reason,
      failure: failures[order.failure ?? 0],
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

/** By `hawser.onramp.v1.OrderFailure`. */
const failures: Readonly<Record<OrderFailure, BuyFailure | undefined>> = [
  undefined,
  'paymentDeclined',
  'paymentLate',
  'paymentFailed',
  'fundsLow',
  'paymentUnapproved',
  'codeWrong',
  'tokensUnsent',
  'unexplained',
]

/** By `hawser.onramp.v1.OrderState`; repeated here, so that the descriptors load with the first call only. */
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

// Open orders are stored, so that the next page load requests them.

/** Maximum of stored orders; the list of orders has all. */
const MOST_REMEMBERED = 20

/** Accounts in lower case, by order id. */
type OpenOrders = Readonly<Record<string, string>>

/** Returns the stored ids of the account's open orders. */
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
