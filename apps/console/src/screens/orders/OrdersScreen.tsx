import { CardIcon, EmptyState, SearchIcon, Tag } from '@hawser/ui'
import { useState } from 'react'
import { useConsole } from '../../api/ApiContext.ts'
import { usePages } from '../../api/usePages.ts'
import { isoTimeText, shortText } from '../../format.ts'
import type { AdminOrder } from '../../gen/hawser/admin/v1/orders_pb.ts'
import { type OrderAmount, OrderState } from '../../gen/hawser/onramp/v1/order_pb.ts'
import { CopyText } from '../../parts/CopyText.tsx'
import { DataTable } from '../../parts/DataTable.tsx'
import { Page } from '../../parts/Page.tsx'
import { SearchForm } from '../../parts/SearchForm.tsx'
import { State } from '../../parts/State.tsx'
import { texts } from '../../texts.ts'
import { ProjectId } from '../projects/ProjectsScreen.tsx'
import { type FindOrders, findOrdersOf } from './query.ts'

/** Finds purchases. */
export function OrdersScreen() {
  const { orders } = texts
  const [query, setQuery] = useState<FindOrders>()
  const [round, setRound] = useState(0)
  return (
    <Page title={texts.screens.orders} lead={orders.lead}>
      <SearchForm
        label={orders.search}
        action={orders.find}
        parse={findOrdersOf}
        problem={orders.wrong}
        isPending={false}
        onSearch={(found) => {
          setQuery(found)
          setRound(round + 1)
        }}
      />
      <div className="card" data-flush aria-live="polite">
        {query ? (
          <Found key={round} query={query} />
        ) : (
          <EmptyState icon={<CardIcon size={26} />} title={orders.start}>
            {orders.startText}
          </EmptyState>
        )}
      </div>
    </Page>
  )
}

const tones = {
  [OrderState.UNSPECIFIED]: 'neutral',
  [OrderState.CREATED]: 'neutral',
  [OrderState.EXPIRED]: 'neutral',
  [OrderState.PENDING]: 'warning',
  [OrderState.PAID]: 'warning',
  [OrderState.CANCELLED]: 'neutral',
  [OrderState.FAILED]: 'error',
  [OrderState.COMPLETED]: 'success',
  [OrderState.REFUNDED]: 'neutral',
} as const satisfies Record<OrderState, string>

function Found({ query }: { query: FindOrders }) {
  const { api } = useConsole()
  const { orders } = texts
  const pages = usePages('orders', async (cursor, signal) => {
    const { orders, next } = await api.orders.findOrders({ ...query, cursor }, { signal })
    return { rows: orders.filter(({ order }) => order), next }
  })
  return (
    <DataTable
      label={orders.results}
      rows={pages.rows}
      rowKey={({ order }) => order?.id ?? ''}
      failure={pages.failure}
      onRetry={pages.reload}
      isLoading={pages.isLoading}
      hasMore={pages.hasMore}
      onMore={pages.loadMore}
      empty={{ icon: <SearchIcon size={26} />, title: orders.empty, text: orders.emptyText }}
      columns={[
        { key: 'order', title: orders.order, isName: true, cell: (row) => <Name row={row} /> },
        { key: 'state', title: orders.state, cell: (row) => <Progress row={row} /> },
        { key: 'amounts', title: orders.amounts, cell: (row) => <Amounts row={row} /> },
        { key: 'provider', title: orders.provider, cell: (row) => <Provider row={row} /> },
        { key: 'project', title: orders.project, cell: ({ projectId }) => <ProjectId id={projectId} /> },
      ]}
    />
  )
}

function Name({ row: { order } }: { row: AdminOrder }) {
  if (!order) return null
  return (
    <span className="setting">
      <CopyText text={order.id} what={texts.orders.order.toLowerCase()} />
      <span className="aside">{isoTimeText(order.createdAt)}</span>
    </span>
  )
}

function Progress({ row: { order, nextPollAt } }: { row: AdminOrder }) {
  const { orders } = texts
  if (!order) return null
  return (
    <span className="setting">
      <State tone={tones[order.state] ?? 'neutral'}>{orders.states[order.state]}</State>
      {order.reason && <span className="aside">{order.reason}</span>}
      {nextPollAt && <span className="aside">{orders.nextPoll(isoTimeText(nextPollAt))}</span>}
    </span>
  )
}

function Amounts({ row: { order } }: { row: AdminOrder }) {
  const { orders } = texts
  if (!order) return null
  return (
    <span className="setting">
      <span>{`${amountText(order.payment)} → ${amountText(order.purchase)}`}</span>
      <CopyText
        text={order.walletAddress}
        what={orders.account.toLowerCase()}
        shown={shortText(order.walletAddress)}
      />
      {order.transaction && (
        <CopyText
          text={order.transaction}
          what={orders.transaction.toLowerCase()}
          shown={`tx ${shortText(order.transaction)}`}
        />
      )}
    </span>
  )
}

function Provider({ row: { order, provider, providerRef } }: { row: AdminOrder }) {
  const { orders } = texts
  return (
    <span className="setting">
      <span className="tags">
        {order?.title || provider}
        {order?.sandbox && <Tag>{orders.sandbox}</Tag>}
      </span>
      {providerRef && (
        <CopyText
          text={providerRef}
          what={orders.reference.toLowerCase()}
          shown={shortText(providerRef, 8, 4)}
        />
      )}
    </span>
  )
}

function amountText(amount: OrderAmount | undefined): string {
  return amount ? `${amount.amount} ${amount.currency}` : texts.orders.unknownAmount
}
