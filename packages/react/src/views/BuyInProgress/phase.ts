import type { BuyOrder, BuyOrderState, BuyPurchase, CheckoutStatus } from '@hawser/core'

/** The phase shown: that of the checkout until the payment has begun, that of the order afterwards. */
export type BuyPhase = CheckoutStatus | Exclude<BuyOrderState, 'created'>

export function phaseOf({ checkout }: BuyPurchase, order: BuyOrder | undefined): BuyPhase {
  return order && order.state !== 'created' ? order.state : checkout
}
