import type { BuyOrder, BuyOrderState, BuyPurchase, CheckoutStatus } from '@hawser/core'

/** What the view speaks of: the checkout until the visitor has begun to pay, the order afterwards. */
export type BuyPhase = CheckoutStatus | Exclude<BuyOrderState, 'created'>

export function phaseOf({ checkout }: BuyPurchase, order: BuyOrder | undefined): BuyPhase {
  return order && order.state !== 'created' ? order.state : checkout
}
