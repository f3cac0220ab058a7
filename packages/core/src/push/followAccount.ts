import { GatewayError } from '@hawser/client'
import type { WatchAccountResponse } from '@hawser/client/updates'
import { type AccountOwner, activeOwner } from '../account/owner.ts'
import { updatesClient } from '../gateway/clients.ts'
import { isServed } from '../gateway/servedFeatures.ts'
import { PUSH_FIRST_RETRY_MS, PUSH_SILENCE_MS, PUSH_SLOWEST_RETRY_MS } from '../limits.ts'
import { orderTokens, orderTokensHeader } from '../onramp/orderTokens.ts'
import type { Hawser } from '../types/hawser.ts'
import { countIdentityChange } from './identityChanges.ts'

/** Error codes for which a retry is pointless. */
const finalCodes = ['unimplemented', 'invalid_argument', 'unauthenticated', 'permission_denied', 'not_found']

/**
 * Keeps the active account up to date with a stream of the gateway. Every stream starts with all balances, and the
 * identity is requested again after every gap, so nothing is missed. A hidden tab has no stream. A broken one is
 * opened again after 1 to 30 seconds, and at once when the tab or the network is back, or when it was silent for 30
 * seconds: the gateway sends something every 15 seconds.
 *
 * @param take shows a change; the stream waits for it.
 * @param random returns a number between 0 and 1, so that pages do not reconnect all at once.
 * @returns a function that stops it.
 */
export function followAccount(
  hawser: Hawser,
  take: (hawser: Hawser, owner: AccountOwner, change: WatchAccountResponse) => Promise<void>,
  random: () => number = Math.random,
): () => void {
  const page = typeof document === 'undefined' ? undefined : document
  let stream = new AbortController()
  let failures = 0
  /** Whether the stream was closed meanwhile. */
  let hasGap = false

  function close(): void {
    stream.abort()
    hasGap = true
    hawser.timers.cancel('push')
    setLive(hawser, false)
  }

  function reopen(): void {
    close()
    const owner = activeOwner(hawser)
    if (!owner || page?.hidden) return
    stream = new AbortController()
    void follow(owner, stream.signal)
  }

  async function follow(owner: AccountOwner, signal: AbortSignal): Promise<void> {
    try {
      if (await isServed(hawser, owner.network.caipNetworkId)) await readChanges(owner, signal)
    } catch (error) {
      if (!signal.aborted && isFinal(error)) {
        close()
        return
      }
    }
    if (signal.aborted) return
    hasGap = true
    setLive(hawser, false)
    hawser.timers.set('push', retryDelay(failures, random()), reopen)
    failures += 1
  }

  async function readChanges(owner: AccountOwner, signal: AbortSignal): Promise<void> {
    hawser.timers.set('push', PUSH_SILENCE_MS, reopen)
    for await (const change of await openStream(hawser, owner, signal)) {
      if (signal.aborted) return
      hawser.timers.cancel('push')
      failures = 0
      await take(hawser, owner, change)
      if (hasGap) countIdentityChange(hawser)
      hasGap = false
      if (signal.aborted) return
      setLive(hawser, true)
      hawser.timers.set('push', PUSH_SILENCE_MS, reopen)
    }
  }

  const unsubscribe = hawser.chain.subscribe((state, before) => {
    if (state.activeCaipAddress === before.activeCaipAddress) return
    failures = 0
    reopen()
    hasGap = false
  })
  const unsubscribeOrders = hawser.push.subscribe((state, before) => {
    if (state.orderTokens !== before.orderTokens) reopen()
  })
  page?.addEventListener('visibilitychange', reopen)
  globalThis.addEventListener?.('online', reopen)
  globalThis.addEventListener?.('offline', close)
  reopen()
  hasGap = false

  return () => {
    unsubscribe()
    unsubscribeOrders()
    page?.removeEventListener('visibilitychange', reopen)
    globalThis.removeEventListener?.('online', reopen)
    globalThis.removeEventListener?.('offline', close)
    close()
  }
}

async function openStream(hawser: Hawser, { address, network }: AccountOwner, signal: AbortSignal) {
  const tokens = orderTokens(hawser)
  const updates = await updatesClient(hawser)
  return updates.watchAccount(
    { address, chainId: network.caipNetworkId, currency: 'usd' },
    { signal, headers: orderTokensHeader(tokens) },
  )
}

function setLive(hawser: Hawser, isLive: boolean): void {
  if (hawser.push.getState().isLive !== isLive) hawser.push.setState({ isLive })
}

function isFinal(error: unknown): boolean {
  return error instanceof GatewayError && finalCodes.includes(error.code)
}

/**
 * Returns the delay before the next attempt, in milliseconds.
 *
 * @param random between 0 and 1.
 */
function retryDelay(failures: number, random: number): number {
  const longest = Math.min(PUSH_FIRST_RETRY_MS * 2 ** failures, PUSH_SLOWEST_RETRY_MS)
  return longest * (0.5 + random / 2)
}
