import type { Message } from '@hawser/texts/message'
import { goBack, pushView, replaceView } from '../router/navigate.ts'
import { showToast } from '../toast/toast.ts'
import type { Hawser } from '../types/hawser.ts'
import { isShown, showEnd, showView } from './show.ts'

/** What an action of purchases did; see `Outcome`. A `message` is for the visitor. */
export type BuyOutcome =
  | { readonly kind: 'buyOpened' }
  | { readonly kind: 'purchaseOpened' }
  /** The visitor left a purchase; `isRetried`: to buy the same again. */
  | { readonly kind: 'purchaseClosed'; readonly isRetried: boolean }
  | ({ readonly kind: 'checkoutFailed' } & Message)
  | ({
      readonly kind: 'orderEnded'
      readonly orderId: string
      readonly hasSucceeded: boolean
    } & Message)

/** Shows the view and the toast that follow an outcome of a purchase. Apart from `follow`, so that it is loaded with them. */
export function reportBuy(hawser: Hawser, outcome: BuyOutcome): void {
  switch (outcome.kind) {
    case 'buyOpened':
      showView(hawser, 'OnRampProviders')
      break
    case 'purchaseOpened':
      pushView(hawser, 'BuyInProgress')
      break
    case 'purchaseClosed':
      leavePurchase(hawser, outcome.isRetried)
      break
    case 'checkoutFailed':
      if (!isShown(hawser, 'BuyInProgress')) showToast(hawser, { ...outcome, variant: 'error' })
      break
    case 'orderEnded':
      if (!isOrderShown(hawser, outcome.orderId)) showEnd(hawser, outcome)
      break
  }
}

function leavePurchase(hawser: Hawser, isRetried: boolean): void {
  const { view, history } = hawser.router.getState()
  if (isRetried && history.at(-2) !== 'OnRampProviders') replaceView(hawser, 'OnRampProviders')
  else if (isRetried || view === 'BuyInProgress') goBack(hawser)
}

function isOrderShown(hawser: Hawser, id: string): boolean {
  return isShown(hawser, 'BuyInProgress') && hawser.onramp.getState().purchase?.orderId === id
}
