import '../connected.ts'
import { GatewayError } from '@hawser/client'
import { activeOwner } from '../account/owner.ts'
import { ORDER_FIRST_POLL_MS, ORDER_SLOWEST_POLL_MS } from '../constants.ts'
import type { Hawser } from '../types/hawser.ts'
import { fetchOrder, fetchOrders, forgetOpen, isOpenOrder, openOrderIds, takeOwner } from './orders.ts'

/**
 * Asks for the account's orders, and follows those that are open. Never throws.
 *
 * @returns when the first answer is there.
 */
export async function resumeOrders(hawser: Hawser): Promise<void> {
  await fetchOrders(hawser)
  followOrders(hawser)
}

/**
 * Follows the orders that are open until each has ended: at once when the gateway tells of a change or the visitor
 * comes back, otherwise after 2 to 30 seconds. A hidden tab asks nothing. Calling it again starts with short pauses.
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
    if (!page?.hidden) await askAll(hawser)
    if (hawser.following.orders === stop) wait()
  }

  function hurry(): void {
    if (page?.hidden) return
    delay = ORDER_FIRST_POLL_MS
    hawser.timers.cancel('onramp:orders')
    void tick()
  }

  const stops = [
    hawser.push.subscribe(({ changedOrder }, before) => {
      if (changedOrder === before.changedOrder) return
      if (changedOrder?.id) void askOrder(hawser, changedOrder.id)
      else hurry()
    }),
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
 * The gateway tells that an order moved: one that this page knows of, or one that was placed elsewhere. Never throws.
 *
 * @param id empty when any of them may have.
 */
export async function takeOrderChange(hawser: Hawser, id: string): Promise<void> {
  // Orders that are followed hear of it themselves.
  if (hawser.following.orders && openIds(hawser).includes(id)) return
  if (!id) {
    await resumeOrders(hawser)
    return
  }
  takeOwner(hawser, activeOwner(hawser)?.caipAddress)
  await askOrder(hawser, id)
  followOrders(hawser)
}

/** More than this many orders are asked for at once, by the newest page of them all. */
const MOST_SINGLE = 2

async function askAll(hawser: Hawser): Promise<void> {
  const ids = openIds(hawser)
  if (ids.length > MOST_SINGLE) await fetchOrders(hawser)
  else await Promise.all(ids.map((id) => askOrder(hawser, id)))
}

/** Asks for one order now. Never throws: what cannot be asked now is asked again. */
export async function askOrder(hawser: Hawser, id: string): Promise<void> {
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
