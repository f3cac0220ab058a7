import {
  type BuyOrder,
  type BuyOrderState,
  type BuyPurchase,
  buyAgain,
  type CheckoutStatus,
  followOrders,
  goBack,
  isOpenOrder,
  leavePurchase,
  purchaseOrder,
  reopenCheckout,
  resetView,
  retryPurchase,
} from '@hawser/core'
import type { Texts } from '@hawser/texts/modal/texts'
import { Button, CopyButton, ExternalIcon, RetryIcon, Ring, type RingState, Tag } from '@hawser/ui'
import { useEffect } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useBuyTexts } from '../../locale/useBuyTexts.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { SellerMark } from '../../parts/onramp/SellerMark.tsx'
import { BuySteps } from './BuySteps.tsx'
import { OrderFacts } from './OrderFacts.tsx'

type ProgressTexts = Texts['buy']['progress']

/** The progress of a purchase: checkout, payment, delivery. */
export function BuyInProgressView() {
  const buyTexts = useBuyTexts()
  const hawser = useHawser()
  const purchase = useHawserState(hawser.onramp, (state) => state.purchase)
  const order = useHawserState(hawser.onramp, (state) => purchaseOrder(state.orders, state.purchase))
  // Polls at once when the visitor comes back to the page.
  useEffect(() => {
    if (hawser.onramp.getState().purchase?.orderId) followOrders(hawser)
  }, [hawser])
  // Leaves the view when the account changes.
  const isGone = purchase === undefined
  useEffect(() => {
    if (isGone && hawser.router.getState().view === 'BuyInProgress') goBack(hawser)
  }, [hawser, isGone])
  if (!purchase) return null
  const phase = phaseOf(purchase, order)
  return (
    <div className="hw-stack hw-buying" data-phase={phase} data-testid="buy-in-progress">
      <div className="hw-waiting hw-buying-head" data-state={ringOf(phase)}>
        <Ring state={ringOf(phase)}>
          <SellerMark id={purchase.seller} title={purchase.title} size={80} />
        </Ring>
        <div className="hw-waiting-text" role="status">
          <p className="hw-waiting-label" data-testid="buy-label">
            {labelOf(phase, purchase, buyTexts.progress)}
          </p>
          <p className="hw-waiting-detail" data-testid="buy-text">
            <bdi>{textOf(phase, purchase, order, buyTexts.progress)}</bdi>
          </p>
          {purchase.isSandbox && <Tag tone="accent">{buyTexts.sandbox}</Tag>}
        </div>
      </div>
      {order && <BuySteps order={order} />}
      {order && <OrderFacts order={order} />}
      <Actions phase={phase} purchase={purchase} />
    </div>
  )
}

function ringOf(phase: BuyPhase): RingState {
  switch (phase) {
    case 'completed':
      return 'success'
    case 'failed':
    case 'refused':
      return 'error'
    case 'blocked':
    case 'closed':
    case 'elsewhere':
    case 'refunded':
    case 'cancelled':
    case 'expired':
      return 'idle'
    default:
      return 'active'
  }
}

function labelOf(phase: BuyPhase, { title }: BuyPurchase, texts: ProgressTexts): string {
  switch (phase) {
    case 'refused':
      return texts.failed
    case 'closed':
      return texts.closed
    case 'preparing':
    case 'open':
    case 'blocked':
      return texts.continueIn(title)
    case 'elsewhere':
      return texts.states.created
    default:
      return texts.states[phase]
  }
}

function textOf(
  phase: BuyPhase,
  { refusal }: BuyPurchase,
  order: BuyOrder | undefined,
  texts: ProgressTexts,
): string {
  switch (phase) {
    case 'refused':
      return texts.refusals[refusal ?? 'unexplained']
    case 'preparing':
      return texts.preparing
    case 'open':
      return texts.notify
    case 'blocked':
      return texts.blocked
    case 'closed':
      return texts.closedText
    case 'elsewhere':
      return texts.elsewhere
    case 'failed':
      return order?.failure ? texts.failures[order.failure] : order?.reason || texts.texts.failed
    default:
      return texts.texts[phase]
  }
}

function Actions({ phase, purchase }: { phase: BuyPhase; purchase: BuyPurchase }) {
  const texts = useBuyTexts().progress
  const baseTexts = useTexts()
  const hawser = useHawser()
  const hasOpenOrder = useHawserState(hawser.onramp, (state) => {
    const order = purchaseOrder(state.orders, state.purchase)
    return order !== undefined && isOpenOrder(order)
  })
  const startAgain = () => buyAgain(hawser)
  switch (phase) {
    case 'preparing':
      return null
    case 'refused':
      return (
        <Button
          wide
          variant="primary"
          icon={<RetryIcon size={18} />}
          data-testid="buy-retry"
          onClick={() => retryPurchase(hawser)}
        >
          {baseTexts.tryAgain}
        </Button>
      )
    case 'blocked':
      return (
        <div className="hw-buying-actions">
          <a
            className="hw-button"
            data-variant="primary"
            data-size="medium"
            data-wide
            href={purchase.url}
            target="_blank"
            rel="noopener noreferrer"
            data-testid="buy-open-checkout"
          >
            <ExternalIcon size={18} />
            <span className="hw-button-label">{texts.openCheckout}</span>
          </a>
          <CopyLink url={purchase.url} />
        </div>
      )
    case 'closed':
      return (
        <div className="hw-buying-actions">
          <Button wide variant="primary" data-testid="buy-reopen" onClick={() => reopenCheckout(hawser)}>
            {texts.reopen}
          </Button>
          <div className="hw-buying-pair">
            <CopyLink url={purchase.url} />
            <Button
              size="small"
              variant="quiet"
              data-testid="buy-cancel"
              onClick={() => leavePurchase(hawser)}
            >
              {texts.cancel}
            </Button>
          </div>
        </div>
      )
    case 'open':
      return (
        <div className="hw-buying-pair">
          <CopyLink url={purchase.url} />
          <Button
            size="small"
            variant="quiet"
            data-testid="buy-to-checkout"
            onClick={() => reopenCheckout(hawser)}
          >
            {texts.toCheckout}
          </Button>
        </div>
      )
    case 'completed':
      return (
        <Button wide variant="primary" data-testid="buy-done" onClick={() => resetView(hawser, 'Account')}>
          {texts.done}
        </Button>
      )
    case 'elsewhere':
      return (
        <Button wide data-testid="buy-start-again" onClick={startAgain}>
          {texts.startAgain}
        </Button>
      )
    default:
      return hasOpenOrder ? null : (
        <Button
          wide
          variant={phase === 'failed' ? 'primary' : 'neutral'}
          icon={<RetryIcon size={18} />}
          data-testid="buy-try-again"
          onClick={startAgain}
        >
          {baseTexts.tryAgain}
        </Button>
      )
  }
}

function CopyLink({ url }: { url: string | undefined }) {
  const texts = useBuyTexts().progress
  if (!url) return null
  return (
    <CopyButton text={url} label={texts.copyLink} className="hw-buy-copy" data-testid="buy-copy-link">
      <span aria-hidden="true">{texts.copyLink}</span>
    </CopyButton>
  )
}

/** The phase shown: that of the checkout until the payment has begun, that of the order afterwards. */
type BuyPhase = CheckoutStatus | Exclude<BuyOrderState, 'created'>

function phaseOf({ checkout }: BuyPurchase, order: BuyOrder | undefined): BuyPhase {
  return order && order.state !== 'created' ? order.state : checkout
}
