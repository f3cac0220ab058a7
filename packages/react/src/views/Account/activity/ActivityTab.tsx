import { type ActivityTransaction, fetchActivity, isSpam, shownActivity, watchActivity } from '@hawser/core'
import { AlertIcon, Button, ClockIcon, EmptyState, List, SkeletonRows } from '@hawser/ui'
import { useEffect, useState } from 'react'
import { useHawser } from '../../../hooks/useHawser.ts'
import { useHawserState } from '../../../hooks/useHawserState.ts'
import { en } from '../../../locale/en.ts'
import { HiddenSwitch } from '../../../parts/HiddenSwitch.tsx'
import { monthOf } from '../../../parts/relativeTime.ts'
import { useNow } from '../../../parts/useNow.ts'
import { ActivityRow } from './ActivityRow.tsx'
import { CoverageNotes } from './CoverageNotes.tsx'
import { OlderActivity } from './OlderActivity.tsx'

const NOW_EVERY_MS = 20_000

/** What happened to the account, newest first, by month. */
export function ActivityTab() {
  const hawser = useHawser()
  const activity = useHawserState(hawser.activity, (state) => state)
  const [showsHidden, setShowsHidden] = useState(false)
  useEffect(() => watchActivity(hawser), [hawser])

  const known = shownActivity(activity)
  const spam = known.filter(isSpam).length
  const shown = showsHidden ? known : known.filter((transaction) => !isSpam(transaction))
  if (known.length === 0) {
    if (activity.hasFailed) return <ActivityError />
    if (!activity.isLoaded) return <SkeletonRows count={7} label={en.activity.loading} />
  }
  return (
    <div className="hw-activity" data-testid="activity">
      {shown.length > 0 ? <Months transactions={shown} /> : <NoActivity />}
      {spam > 0 && (
        <HiddenSwitch
          count={spam}
          isOn={showsHidden}
          onChange={setShowsHidden}
          hideLabel={en.activity.hideAgain}
        />
      )}
      <OlderActivity />
      {activity.coverage && <CoverageNotes coverage={activity.coverage} />}
    </div>
  )
}

function Months({ transactions }: { transactions: readonly ActivityTransaction[] }) {
  const now = useNow(NOW_EVERY_MS)
  return byMonth(transactions, now).map(({ month, transactions: ofMonth }) => (
    <section key={month} className="hw-activity-month">
      <h3 className="hw-heading" data-testid="group-title">
        {month}
      </h3>
      <List label={month} appearance="plain">
        {ofMonth.map((transaction) => (
          <ActivityRow key={transaction.id} transaction={transaction} now={now} />
        ))}
      </List>
    </section>
  ))
}

interface Month {
  month: string
  transactions: ActivityTransaction[]
}

function byMonth(transactions: readonly ActivityTransaction[], now: number): Month[] {
  const months: Month[] = []
  for (const transaction of transactions) {
    const month = monthOf(Date.parse(transaction.metadata.minedAt), now)
    const last = months.at(-1)
    if (last?.month === month) last.transactions.push(transaction)
    else months.push({ month, transactions: [transaction] })
  }
  return months
}

function NoActivity() {
  return (
    <EmptyState
      icon={<ClockIcon size={26} />}
      title={en.activity.emptyTitle}
      data-testid="empty-activity-state"
    >
      {en.activity.emptyText}
    </EmptyState>
  )
}

function ActivityError() {
  const hawser = useHawser()
  const isReading = useHawserState(hawser.activity, ({ reading }) => reading !== undefined)
  return (
    <EmptyState
      tone="error"
      icon={<AlertIcon size={26} />}
      title={en.activity.errorTitle}
      data-testid="activity-error"
      action={
        <Button size="small" loading={isReading} onClick={() => void fetchActivity(hawser)}>
          {en.tryAgain}
        </Button>
      }
    >
      {en.activity.errorText}
    </EmptyState>
  )
}
