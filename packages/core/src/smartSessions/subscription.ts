import { chainIdIn } from '../evm/chainId.ts'
import type { Hawser } from '../types/hawser.ts'
import type { AllowancePermission, SmartSessionKey, SmartSessionRequest } from '../types/smartSessions.ts'
import { requireSessionOwner } from './owner.ts'

/** A second, a day, a week, or 30 days. */
export type SubscriptionInterval = '1s' | '1d' | '1w' | '1m'

/** Seconds. */
const intervals: Readonly<Record<SubscriptionInterval, number>> = {
  '1s': 1,
  '1d': 86_400,
  '1w': 604_800,
  '1m': 2_592_000,
}

/** How long before now a subscription starts by default, in seconds: the time of the newest block is behind, and clocks differ. */
const START_MARGIN_SECONDS = 60

/** A payment that repeats. */
export interface Subscription {
  /** The site's own key. */
  readonly key: SmartSessionKey
  /** Base units that may be spent in each interval. */
  readonly amount: bigint
  /** Plain address; the native currency by default. */
  readonly token?: string
  readonly interval: SubscriptionInterval
  /** Unix seconds; a minute ago by default, because a payment before it reverts, and the time of a chain is behind. */
  readonly start?: number
  /** Unix seconds. */
  readonly expiry: number
}

/** Returns the request of a subscription on the active network, for `grantPermissions`. */
export function createSubscription(
  hawser: Hawser,
  { key, amount, token, interval, start: given, expiry }: Subscription,
): SmartSessionRequest {
  const { network } = requireSessionOwner(hawser)
  const start = given ?? Math.floor(hawser.clock.now() / 1_000) - START_MARGIN_SECONDS
  const limit = { allowance: `0x${amount.toString(16)}`, start, period: intervals[interval] }
  const permission: AllowancePermission = token
    ? { type: 'erc20-recurring-allowance', data: { token, ...limit } }
    : { type: 'native-token-recurring-allowance', data: limit }
  return {
    chainId: chainIdIn(network.caipNetworkId),
    expiry,
    signer: { type: 'keys', data: { keys: [key] } },
    permissions: [permission],
    policies: [],
  }
}
