import { GatewayError, messageData } from '@hawser/client'
import { toasts } from '@hawser/texts/en/toasts'
import { isSmartAccount } from '../account/account.ts'
import { toast } from '../errors/messages.ts'
import { thrown } from '../errors/thrown.ts'
import { onrampClient } from '../gateway/clients.ts'
import { CHECKOUT_WATCH_MS } from '../limits.ts'
import { reportBuy } from '../modal/buyFlows.ts'
import { isPopupUrl, openPopup, type Popup } from '../popup/popup.ts'
import type { Hawser } from '../types/hawser.ts'
import type { BuyOrder, BuyPurchase, BuySeller } from '../types/onramp.ts'
import { buyReadiness } from './amount.ts'
import { followOrders } from './followOrders.ts'
import { takeOrder } from './orders.ts'
import { keepOrderToken } from './orderTokens.ts'
import { buyProblemOf, purchaseRequest, purchaseTerms } from './quotes.ts'

/** A provider, and how it is paid. */
export interface ChosenSeller extends Pick<BuySeller, 'id' | 'title' | 'isSandbox'> {
  /** Absent: the visitor selects it in the checkout. */
  readonly method?: string | undefined
}

/**
 * Opens the provider's checkout in a window and starts to follow the purchase. Call it in a click handler: browsers
 * open windows at no other time. Does nothing while the purchase is incomplete.
 */
export function buy(hawser: Hawser, { id, title, isSandbox, method }: ChosenSeller): void {
  if (buyReadiness(hawser.onramp.getState()) !== 'ready') return
  const window = openWindow(hawser, title)
  hawser.events.emit({
    event: 'SELECT_BUY_PROVIDER',
    properties: { provider: id, isSmartAccount: isSmartAccount(hawser) },
  })
  show(hawser, {
    seller: id,
    title,
    isSandbox,
    method,
    checkout: 'preparing',
    orderId: undefined,
    url: undefined,
    refusal: undefined,
  })
  void openOrder(hawser, window)
}

/** Retries a purchase that the gateway refused. Call it in a click handler. */
export function retryPurchase(hawser: Hawser): void {
  const { purchase } = hawser.onramp.getState()
  if (purchase) buy(hawser, { ...purchase, id: purchase.seller })
}

/** Starts a new purchase of the same token and amount. */
export function buyAgain(hawser: Hawser): void {
  const { orders, purchase, tokens } = hawser.onramp.getState()
  const order = purchaseOrder(orders, purchase)
  const bought = tokens.find(
    ({ symbol, chainId }) => symbol === order?.purchase?.currency && chainId === order.chainId,
  )
  stopWatching(hawser)
  hawser.onramp.setState({
    purchase: undefined,
    wanted: {
      ...(order?.payment && { amount: order.payment.amount, currency: order.payment.currency }),
      ...(!bought && order?.purchase && { token: order.purchase.currency }),
    },
    ...(bought && { token: bought }),
  })
  reportBuy(hawser, { kind: 'purchaseClosed', isRetried: true })
}

/** Opens or focuses the checkout window again. Call it in a click handler. */
export function reopenCheckout(hawser: Hawser): void {
  const { purchase } = hawser.onramp.getState()
  if (!purchase?.url) return
  const { window } = hawser.checkout
  if (window && !window.isClosed()) {
    window.focus()
    return
  }
  lead(hawser, openWindow(hawser, purchase.title), purchase.url)
}

/** Stops showing a purchase. If it was paid, it is delivered all the same and stays in the list of orders. */
export function leavePurchase(hawser: Hawser): void {
  stopWatching(hawser)
  hawser.latest.abandon('onramp:place')
  hawser.onramp.setState({ purchase: undefined })
  reportBuy(hawser, { kind: 'purchaseClosed', isRetried: false })
}

/** Opens the progress of an order. */
export function showOrder(hawser: Hawser, { id, seller, title, isSandbox }: BuyOrder): void {
  const { purchase } = hawser.onramp.getState()
  const isKnown = purchase?.orderId === id
  if (!isKnown) stopWatching(hawser)
  show(
    hawser,
    isKnown
      ? purchase
      : {
          seller,
          title,
          isSandbox,
          method: undefined,
          checkout: 'elsewhere',
          orderId: id,
          url: undefined,
          refusal: undefined,
        },
  )
  followOrders(hawser)
}

/** Returns the order of the purchase that is shown, if known. */
export function purchaseOrder(orders: readonly BuyOrder[], purchase: BuyPurchase | undefined) {
  return orders.find(({ id }) => id === purchase?.orderId)
}

function show(hawser: Hawser, purchase: BuyPurchase): void {
  hawser.onramp.setState({ purchase })
  reportBuy(hawser, { kind: 'purchaseOpened' })
}

async function openOrder(hawser: Hawser, window: Popup | undefined): Promise<void> {
  const { isCurrent, signal } = hawser.latest.begin('onramp:place')
  const { purchase } = hawser.onramp.getState()
  const terms = purchaseTerms(hawser)
  try {
    if (!purchase || !terms) throw new Error(thrown.buyFailed)
    const wanted = { ...terms, ...(purchase.method && { method: purchase.method }) }
    const sessionData = { ...purchaseRequest(wanted), serviceProvider: purchase.seller }
    const onramp = await onrampClient(hawser)
    const { widgetUrl, order, orderToken } = await onramp.openWidget({ sessionData }, { signal })
    keepOrderToken(hawser, orderToken)
    if (!isCurrent()) {
      window?.close()
      return
    }
    if (!order || !isPopupUrl(widgetUrl, hawser.options.getState().baseUrl)) throw new Error(thrown.buyFailed)
    takeOrder(hawser, messageData(order))
    update(hawser, { orderId: order.id, url: widgetUrl })
    lead(hawser, window, widgetUrl)
    followOrders(hawser)
  } catch (error) {
    window?.close()
    if (isCurrent()) refuse(hawser, error)
  }
}

function refuse(hawser: Hawser, error: unknown): void {
  const { purchase } = hawser.onramp.getState()
  update(hawser, { checkout: 'refused', refusal: buyProblemOf(error) ?? 'unexplained' })
  hawser.events.emit({
    event: 'BUY_ERROR',
    properties: {
      isSmartAccount: isSmartAccount(hawser),
      network: hawser.onramp.getState().token?.chainId ?? '',
      provider: purchase?.seller ?? '',
      token: hawser.onramp.getState().token?.symbol ?? '',
      amount: '',
      currency: hawser.onramp.getState().currency?.id ?? '',
      paid: hawser.onramp.getState().amount,
      message: (error instanceof GatewayError && error.text) || thrown.buyFailed,
    },
  })
  reportBuy(hawser, { kind: 'checkoutFailed', ...toast('buyFailed') })
}

function openWindow(hawser: Hawser, title: string): Popup | undefined {
  stopWatching(hawser)
  // Each purchase needs its own window name: a window with the same name would be reused.
  return openPopup(`hawser-checkout-${hawser.clock.now()}`, toasts.openingCheckout(title))
}

/** Navigates the window to the checkout, and checks now and then whether it was closed. */
function lead(hawser: Hawser, window: Popup | undefined, url: string): void {
  hawser.checkout.window = window
  if (!window) {
    update(hawser, { checkout: 'blocked' })
    return
  }
  if (window.isClosed()) {
    update(hawser, { checkout: 'closed' })
    return
  }
  window.show(url)
  update(hawser, { checkout: 'open' })
  watchWindow(hawser, window)
}

function watchWindow(hawser: Hawser, window: Popup): void {
  hawser.timers.set('onramp:window', CHECKOUT_WATCH_MS, () => {
    if (!window.isClosed()) {
      watchWindow(hawser, window)
      return
    }
    update(hawser, { checkout: 'closed' })
    // Most visitors close the window after paying.
    followOrders(hawser)
  })
}

function stopWatching(hawser: Hawser): void {
  hawser.timers.cancel('onramp:window')
}

function update(hawser: Hawser, change: Partial<BuyPurchase>): void {
  hawser.onramp.setState(({ purchase }) => ({ purchase: purchase && { ...purchase, ...change } }))
}
