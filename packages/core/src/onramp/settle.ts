import type { AmountValue, Message } from '@hawser/texts/message'
import { isSmartAccount } from '../account/account.ts'
import { fetchNativeBalance } from '../account/nativeBalance.ts'
import { activeOwner } from '../account/owner.ts'
import { fetchTokenBalance } from '../account/tokenBalance.ts'
import { fetchActivity } from '../activity/fetchActivity.ts'
import { shortAmount } from '../amounts/shortAmount.ts'
import { toast } from '../errors/messages.ts'
import { reportBuy } from '../modal/buyFlows.ts'
import type { BuyProperties } from '../types/events.ts'
import type { Hawser } from '../types/hawser.ts'
import type { BuyOrder } from '../types/onramp.ts'

/** Reports how an order ended: to the site by an event, to the visitor by an outcome. */
export function settleOrder(hawser: Hawser, order: BuyOrder): void {
  const properties = propertiesOf(hawser, order)
  if (order.state === 'completed') {
    hawser.events.emit({ event: 'BUY_SUCCESS', properties: { ...properties, hash: order.transaction } })
    const { amount = '', currency = '' } = order.purchase ?? {}
    reportEnd(hawser, order, toast('bought', boughtAmount(amount), currency))
    void refreshHoldings(hawser, order)
    return
  }
  const message = messages[order.state] ?? toast('buyFailed')
  hawser.events.emit({
    event: 'BUY_ERROR',
    properties: { ...properties, message: order.reason || message.message },
  })
  reportEnd(hawser, order, message)
}

const messages: Partial<Record<BuyOrder['state'], Message>> = {
  refunded: toast('buyRefunded'),
  cancelled: toast('buyCancelled'),
  expired: toast('buyExpired'),
}

/** Returns an amount for its text, which has no amount where that is unknown. */
function boughtAmount(amount: string): AmountValue | string {
  return amount && { amount: shortAmount(amount), unit: '' }
}

function propertiesOf(hawser: Hawser, order: BuyOrder): BuyProperties {
  return {
    isSmartAccount: isSmartAccount(hawser),
    network: order.chainId,
    provider: order.seller,
    token: order.purchase?.currency ?? '',
    amount: order.purchase?.amount ?? '',
    currency: order.payment?.currency ?? '',
    paid: order.payment?.amount ?? '',
  }
}

function reportEnd(hawser: Hawser, { id, state }: BuyOrder, message: Message): void {
  reportBuy(hawser, { kind: 'orderEnded', orderId: id, ...message, hasSucceeded: state === 'completed' })
}

/** Reads the balances again, so that the purchase shows at once. Never throws. */
async function refreshHoldings(hawser: Hawser, { chainId, purchase }: BuyOrder): Promise<void> {
  const owner = activeOwner(hawser)
  if (owner?.network.caipNetworkId !== chainId) return
  const { tokens } = hawser.onramp.getState()
  const bought = tokens.find((token) => token.chainId === chainId && token.symbol === purchase?.currency)
  const forceUpdate = bought?.contract ? [`${chainId}:${bought.contract}`] : []
  const isActivityShown = hawser.activity.getState().owner === owner.caipAddress
  await Promise.all([
    fetchNativeBalance(hawser, { bypassCache: true }),
    fetchTokenBalance(hawser, { forceUpdate }),
    isActivityShown && fetchActivity(hawser),
  ])
}
