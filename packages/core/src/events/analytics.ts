import type { HawserEvent } from '../types/events.ts'
import type { Hawser } from '../types/hawser.ts'

/** Events are sent together once none was added for this long, in milliseconds. */
const SEND_AFTER_MS = 2_000

/** Most events of one request. */
const MOST_EVENTS = 50

/**
 * The part of an event that is sent: its name, and how a wallet was connected. It has nothing about the
 * visitor, the page or an amount.
 */
interface CountedEvent {
  readonly event: HawserEvent['event']
  readonly properties?: { readonly method?: string; readonly platform?: string }
}

/**
 * Sends the events of the modal to the gateway, which counts them for the operator. Nothing is sent with the feature
 * `analytics` off, nor before the visitor does something. A request that fails is dropped.
 *
 * @returns a function that sends what is left and stops.
 */
export function startAnalytics(hawser: Hawser): () => void {
  let queue: CountedEvent[] = []
  let hasStarted = false

  function add(event: HawserEvent): void {
    if (!hawser.options.getState().features.analytics) return
    if (!hasStarted) queue.push({ event: 'INITIALIZE' })
    hasStarted = true
    queue.push(counted(event))
    if (queue.length >= MOST_EVENTS) send()
    else hawser.timers.set('analytics', SEND_AFTER_MS, send)
  }

  function send(): void {
    hawser.timers.cancel('analytics')
    const events = queue
    queue = []
    if (events.length === 0 || !hawser.options.getState().features.analytics) return
    hawser.client.rest('/v1/events', { body: { events }, keepalive: true }).catch(() => undefined)
  }

  const unsubscribe = hawser.events.subscribe(add)
  globalThis.addEventListener?.('pagehide', send)
  return () => {
    unsubscribe()
    globalThis.removeEventListener?.('pagehide', send)
    send()
  }
}

function counted(event: HawserEvent): CountedEvent {
  if (event.event === 'CONNECT_SUCCESS') {
    return { event: event.event, properties: { method: event.properties.method } }
  }
  if (event.event === 'SELECT_WALLET') {
    return { event: event.event, properties: { platform: event.properties.platform } }
  }
  return { event: event.event }
}
