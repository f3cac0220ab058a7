import {
  type ActivityCoverage,
  type ActivityTransaction,
  activeCounterparties,
  fetchActivity,
  isPoisoned,
  isSpam,
  shownActivity,
  watchActivity,
} from '@hawser/core'
import type { Texts } from '@hawser/texts/modal/texts'
import { AlertIcon, Button, ClockIcon, EmptyState, List, SkeletonRows } from '@hawser/ui'
import { useEffect, useState } from 'react'
import { useHawser } from '../../../hooks/useHawser.ts'
import { useHawserState } from '../../../hooks/useHawserState.ts'
import { useNetwork } from '../../../hooks/useNetwork.ts'
import { useLocaleTag } from '../../../locale/shownLocale.ts'
import { useTexts } from '../../../locale/useTexts.ts'
import { useContacts } from '../../../parts/contacts/useContacts.ts'
import { HiddenSwitch } from '../../../parts/HiddenSwitch.tsx'
import { OutageText } from '../../../parts/OutageText.tsx'
import { dayOf } from '../../../parts/relativeTime.ts'
import { useNow } from '../../../parts/useNow.ts'
import { ActivityRow } from './ActivityRow.tsx'
import { OlderActivity } from './OlderActivity.tsx'

const NOW_EVERY_MS = 20_000

/** The history of the account, newest first, grouped by day. */
export function ActivityTab() {
  const texts = useTexts()
  const hawser = useHawser()
  const activity = useHawserState(hawser.activity, (state) => state)
  const [showsHidden, setShowsHidden] = useState(false)
  useEffect(() => watchActivity(hawser), [hawser])

  const known = shownActivity(activity)
  const spam = known.filter(isSpam).length
  const shown = showsHidden ? known : known.filter((transaction) => !isSpam(transaction))
  if (known.length === 0) {
    if (activity.hasFailed) return <ActivityError />
    if (!activity.isLoaded) return <SkeletonRows count={7} label={texts.activity.loading} />
  }
  return (
    <div className="hw-activity" data-testid="activity">
      {shown.length > 0 ? <Days transactions={shown} /> : <NoActivity />}
      {spam > 0 && (
        <HiddenSwitch
          count={spam}
          isOn={showsHidden}
          onChange={setShowsHidden}
          hideLabel={texts.activity.hideAgain}
        />
      )}
      <OlderActivity />
      {activity.coverage && <CoverageNotes coverage={activity.coverage} />}
    </div>
  )
}

function Days({ transactions }: { transactions: readonly ActivityTransaction[] }) {
  const texts = useTexts()
  const tag = useLocaleTag()
  const now = useNow(NOW_EVERY_MS)
  useContacts()
  const counterparties = activeCounterparties(useHawser())
  return byDay(transactions, now, texts, tag).map(({ day, transactions: ofDay }) => (
    <section key={day} className="hw-activity-day">
      <h3 className="hw-heading" data-testid="group-title">
        {day}
      </h3>
      <List label={day} appearance="plain">
        {ofDay.map((transaction) => (
          <ActivityRow
            key={transaction.id}
            transaction={transaction}
            isPoisoned={isPoisoned(transaction, counterparties)}
            now={now}
          />
        ))}
      </List>
    </section>
  ))
}

interface Day {
  day: string
  transactions: ActivityTransaction[]
}

function byDay(
  transactions: readonly ActivityTransaction[],
  now: number,
  texts: Texts['base'],
  tag: string,
): Day[] {
  const days: Day[] = []
  for (const transaction of transactions) {
    const day = dayOf(Date.parse(transaction.metadata.minedAt), now, texts, tag)
    const last = days.at(-1)
    if (last?.day === day) last.transactions.push(transaction)
    else days.push({ day, transactions: [transaction] })
  }
  return days
}

function NoActivity() {
  const texts = useTexts()
  return (
    <EmptyState
      icon={<ClockIcon size={26} />}
      title={texts.activity.emptyTitle}
      data-testid="empty-activity-state"
    >
      {texts.activity.emptyText}
    </EmptyState>
  )
}

function ActivityError() {
  const texts = useTexts()
  const hawser = useHawser()
  const isReading = useHawserState(hawser.activity, ({ reading }) => reading !== undefined)
  return (
    <EmptyState
      tone="error"
      icon={<AlertIcon size={26} />}
      title={texts.activity.errorTitle}
      data-testid="activity-error"
      action={
        <Button size="small" loading={isReading} onClick={() => void fetchActivity(hawser)}>
          {texts.tryAgain}
        </Button>
      }
    >
      <OutageText />
    </EmptyState>
  )
}

/** Notes on what the history may lack. */
function CoverageNotes({ coverage }: { coverage: ActivityCoverage }) {
  const { activity } = useTexts()
  const tag = useLocaleTag()
  const { caipNetworkId } = useNetwork()
  const notes = caipNetworkId ? notesOf(coverage, caipNetworkId, activity, tag) : []
  if (notes.length === 0) return null
  return (
    <div className="hw-activity-notes" data-testid="activity-coverage">
      {notes.map((note) => (
        <p key={note} className="hw-note">
          {note}
        </p>
      ))}
    </div>
  )
}

function notesOf(
  { backfilling, fromBlock, nativeFromBlock }: ActivityCoverage,
  chainId: string,
  texts: Texts['base']['activity'],
  tag: string,
): string[] {
  const from = BigInt(fromBlock?.[chainId] ?? 0)
  const nativeFrom = BigInt(nativeFromBlock?.[chainId] ?? 0)
  const notes: string[] = []
  if (backfilling) notes.push(texts.backfilling)
  else if (from > 0n) notes.push(texts.unknownBefore(from.toLocaleString(tag)))
  if (nativeFrom > from) notes.push(texts.nativeUnknownBefore(nativeFrom.toLocaleString(tag)))
  return notes
}
