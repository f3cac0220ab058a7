import '../connected.ts'
import { GatewayError, messageData } from '@hawser/client'
import type { OrderChange } from '@hawser/client/updates'
import { activeOwner } from '../account/owner.ts'
import { ORDER_FIRST_POLL_MS, ORDER_SLOWEST_POLL_MS } from '../limits.ts'
import type { Hawser } from '../types/hawser.ts'
import {
  fetchOrder,
  fetchOrders,
  forgetOpen,
  isOpenOrder,
  openOrderIds,
  takeOrder,
  takeOwner,
} from './orders.ts'

/** Requests the account's orders, and follows those that are open. Never throws; resolves with the first answer. */
export async function resumeOrders(hawser: Hawser): Promise<void> {
  await fetchOrders(hawser)
  followOrders(hawser)
}

/**
 * Polls the open orders until each has ended: every 2 to 30 seconds, and at once when the visitor comes back to the tab. A
 * hidden tab polls nothing. Another call starts again with the shortest interval.
 */
export function followOrders(hawser: Hawser): void {
  hawser.following.orders?.()
  const page = typeof document === 'undefined' ? undefined : document
  let delay = ORDER_FIRST_POLL_MS

  function wait(): void {
    if (openIds(hawser).length === 0) {
      stop()
      return
    }
    hawser.timers.set('onramp:orders', delay, () => void tick())
    delay = Math.min(delay * 1.5, ORDER_SLOWEST_POLL_MS)
  }

  async function tick(): Promise<void> {
    if (!page?.hidden) await requestOpen(hawser)
    if (hawser.following.orders === stop) wait()
  }

  function hurry(): void {
    if (page?.hidden) return
    delay = ORDER_FIRST_POLL_MS
    hawser.timers.cancel('onramp:orders')
    void tick()
  }

  const stops = [
    hawser.chain.subscribe(({ activeCaipAddress }) => {
      if (!activeCaipAddress) stop()
    }),
  ]
  page?.addEventListener('visibilitychange', hurry)
  function stop(): void {
    if (hawser.following.orders === stop) hawser.following.orders = undefined
    for (const end of stops) end()
    page?.removeEventListener('visibilitychange', hurry)
    hawser.timers.cancel('onramp:orders')
  }
  hawser.following.orders = stop
  wait()
}

/**
 * Stores a changed order from an update of the gateway, including an order that was placed in another
 * browser. An update without an order means that many changed, and requests them. Never throws.
 */
export async function takeOrderChange(hawser: Hawser, { order }: Pick<OrderChange, 'order'>): Promise<void> {
  if (!order) {
    await resumeOrders(hawser)
    return
  }
  takeOwner(hawser, activeOwner(hawser)?.caipAddress)
  const isFollowed = hawser.following.orders !== undefined && openIds(hawser).includes(order.id)
  takeOrder(hawser, messageData(order))
  if (!isFollowed) followOrders(hawser)
}

/** If more orders than this are open, the newest page is requested instead of each one. */
const MOST_SINGLE = 2

async function requestOpen(hawser: Hawser): Promise<void> {
  const ids = openIds(hawser)
  if (ids.length > MOST_SINGLE) await fetchOrders(hawser)
  else await Promise.all(ids.map((id) => requestOrder(hawser, id)))
}

/** Requests one order. Never throws: a failed request is repeated. */
async function requestOrder(hawser: Hawser, id: string): Promise<void> {
  try {
    await fetchOrder(hawser, id)
  } catch (error) {
    if (error instanceof GatewayError && error.reason === 'ORDER_UNKNOWN') forget(hawser, id)
  }
}

function forget(hawser: Hawser, id: string): void {
  forgetOpen(hawser, id)
  hawser.onramp.setState(({ orders }) => ({ orders: orders.filter((order) => order.id !== id) }))
}

function openIds(hawser: Hawser): readonly string[] {
  const { orders, owner } = hawser.onramp.getState()
  if (!owner) return []
  const unread = openOrderIds(hawser).filter((id) => !orders.some((order) => order.id === id))
  return [...orders.filter(isOpenOrder).map(({ id }) => id), ...unread]
}
