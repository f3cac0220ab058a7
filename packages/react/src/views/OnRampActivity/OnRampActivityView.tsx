import {
  type BuyOrder,
  type BuyOrderState,
  fetchOlderOrders,
  fetchOrders,
  isOpenOrder,
  openOnramp,
  showOrder,
  watchOnramp,
  watchOrders,
} from '@hawser/core'
import {
  AlertIcon,
  Amount,
  AssetIcon,
  Button,
  CardIcon,
  CheckIcon,
  ClockIcon,
  EmptyState,
  List,
  SkeletonRows,
  Tag,
  type TagProps,
} from '@hawser/ui'
import { useEffect } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useBuyTexts } from '../../locale/useBuyTexts.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { formatMoney } from '../../parts/onramp/money.ts'
import { fullTime, monthOf, relativeTime } from '../../parts/relativeTime.ts'
import { useNow } from '../../parts/useNow.ts'

const NOW_EVERY_MS = 20_000

/** The purchases of the account, newest first, grouped by month. */
export function OnRampActivityView() {
  const texts = useBuyTexts().activity
  const hawser = useHawser()
  const onramp = useHawserState(hawser.onramp, (state) => state)
  useEffect(() => watchOnramp(hawser), [hawser])
  useEffect(() => watchOrders(hawser), [hawser])

  if (onramp.orders.length === 0) {
    if (onramp.hasOrders) return <NoOrders />
    if (onramp.haveOrdersFailed) return <OrdersError />
    return <SkeletonRows count={7} label={texts.loading} />
  }
  return (
    <div className="hw-activity" data-testid="onramp-activity">
      <Months orders={onramp.orders} />
      {onramp.nextOrders && (
        <Button
          wide
          variant="quiet"
          loading={onramp.readingOrders === 'older'}
          data-testid="onramp-load-more"
          onClick={() => void fetchOlderOrders(hawser)}
        >
          {texts.loadMore}
        </Button>
      )}
      <p className="hw-note" data-testid="onramp-activity-note">
        {texts.onlyHere}
      </p>
    </div>
  )
}

function Months({ orders }: { orders: readonly BuyOrder[] }) {
  const tag = useLocaleTag()
  const now = useNow(NOW_EVERY_MS)
  const months = new Map<string, BuyOrder[]>()
  for (const order of orders) {
    const month = monthOf(order.createdAt, now, tag)
    months.set(month, [...(months.get(month) ?? []), order])
  }
  return [...months].map(([month, ofMonth]) => (
    <section key={month} className="hw-activity-month">
      <h3 className="hw-heading" data-testid="group-title">
        {month}
      </h3>
      <List label={month} appearance="plain">
        {ofMonth.map((order) => (
          <OrderRow key={order.id} order={order} now={now} />
        ))}
      </List>
    </section>
  ))
}

/**
 * One order in a row.
 *
 * @param now Unix milliseconds.
 */
function OrderRow({ order, now }: { order: BuyOrder; now: number }) {
  const tag = useLocaleTag()
  const texts = useBuyTexts().activity
  const baseTexts = useTexts()
  const hawser = useHawser()
  const { state, purchase, payment, createdAt } = order
  const isDone = state === 'completed'
  return (
    <li className="hw-list-item" data-testid={`onramp-order-${order.id}`} data-status={state}>
      <button type="button" className="hw-row" onClick={() => showOrder(hawser, order)}>
        <OrderMark order={order} />
        <span className="hw-row-text">
          <span className="hw-row-title">
            {isDone ? texts.bought : isOpenOrder(order) ? texts.buying : texts.ended}
          </span>
          <span className="hw-row-subtitle">{texts.from(order.title)}</span>
        </span>
        <span className="hw-activity-end">
          <span className="hw-transfer-amount" dir="ltr" data-direction={isDone ? 'in' : undefined}>
            {isDone && purchase && '+'}
            {purchase ? (
              <Amount value={purchase.amount} symbol={purchase.currency} />
            ) : (
              payment && formatMoney(payment, tag)
            )}
          </span>
          <span className="hw-activity-when">
            <Tag tone={tones[state]}>{texts.tags[state]}</Tag>
            <time dateTime={new Date(createdAt).toISOString()} title={fullTime(createdAt, tag)}>
              {relativeTime(createdAt, now, tag) ?? baseTexts.activity.justNow}
            </time>
          </span>
        </span>
      </button>
    </li>
  )
}

const tones: Readonly<Record<BuyOrderState, NonNullable<TagProps['tone']>>> = {
  created: 'neutral',
  pending: 'accent',
  paid: 'accent',
  completed: 'success',
  failed: 'warning',
  refunded: 'warning',
  cancelled: 'neutral',
  expired: 'neutral',
}

function OrderMark({ order: { state, purchase, title } }: { order: BuyOrder }) {
  const Badge = state === 'completed' ? CheckIcon : state === 'failed' ? AlertIcon : ClockIcon
  return (
    <span className="hw-activity-mark" data-count={1} aria-hidden="true">
      <AssetIcon name={purchase?.currency ?? title} />
      <span className="hw-activity-badge" data-status={state === 'failed' ? 'failed' : undefined}>
        <Badge size={12} />
      </span>
    </span>
  )
}

function NoOrders() {
  const texts = useBuyTexts().activity
  const baseTexts = useTexts()
  const hawser = useHawser()
  return (
    <EmptyState
      icon={<CardIcon size={26} />}
      title={texts.emptyTitle}
      data-testid="onramp-activity-empty"
      action={
        <Button size="small" variant="primary" onClick={() => openOnramp(hawser)}>
          {baseTexts.account.buyCrypto}
        </Button>
      }
    >
      {texts.emptyText} {texts.onlyHere}
    </EmptyState>
  )
}

function OrdersError() {
  const texts = useBuyTexts().activity
  const baseTexts = useTexts()
  const hawser = useHawser()
  const isReading = useHawserState(hawser.onramp, ({ readingOrders }) => readingOrders !== undefined)
  return (
    <EmptyState
      tone="error"
      icon={<AlertIcon size={26} />}
      title={texts.errorTitle}
      data-testid="onramp-activity-error"
      action={
        <Button size="small" loading={isReading} onClick={() => void fetchOrders(hawser)}>
          {baseTexts.tryAgain}
        </Button>
      }
    >
      {texts.errorText}
    </EmptyState>
  )
}
