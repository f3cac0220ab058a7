import { fetchSmartSessions, type SmartSession, smartSessionsOf } from '@hawser/core'
import type { Texts } from '@hawser/texts/modal/texts'
import { AlertIcon, BoltIcon, Button, ClockIcon, EmptyState, List, SkeletonRows, Tabs } from '@hawser/ui'
import { useState } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useSessionsTexts } from '../../locale/useSessionsTexts.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { monthOf } from '../../parts/relativeTime.ts'
import { useNow } from '../../parts/useNow.ts'
import { SessionRow } from './SessionRow.tsx'

const NOW_EVERY_MS = 20_000

type TabId = keyof Texts['sessions']['tabs']

/** The sessions of the account: what each site may still do, and what it could do. */
export function SmartSessionListView() {
  const sessionsTexts = useSessionsTexts()
  const hawser = useHawser()
  const { caipAddress } = useAccount()
  const state = useHawserState(hawser.smartSessions, (sessions) => sessions)
  const [tab, setTab] = useState<TabId>('active')
  const sessions = smartSessionsOf(state, caipAddress)
  const status = state.owner === caipAddress ? state.status : 'unread'

  if (status === 'unread') return <Unread />
  if (status === 'reading' && sessions.length === 0)
    return <SkeletonRows count={3} label={sessionsTexts.loading} />
  if (status === 'failed' && sessions.length === 0) return <Failed />
  const tabs = Object.entries(sessionsTexts.tabs).map(([id, label]) => ({
    id,
    label,
    panel: () => (
      <Sessions sessions={sessions.filter((session) => tabOf(session) === id)} tab={id as TabId} />
    ),
  }))
  return (
    <Tabs
      label={sessionsTexts.list}
      tabs={tabs}
      selected={tab}
      onSelect={(selected) => setTab(selected as TabId)}
    />
  )
}

/** Shown before the list is read. The wallet has to sign for it, so the visitor starts it. */
function Unread() {
  const sessionsTexts = useSessionsTexts()
  const hawser = useHawser()
  return (
    <EmptyState
      icon={<BoltIcon size={26} />}
      title={sessionsTexts.unread.title}
      action={
        <Button
          variant="primary"
          data-testid="smart-sessions-show-button"
          onClick={() => void fetchSmartSessions(hawser)}
        >
          {sessionsTexts.unread.action}
        </Button>
      }
    >
      {sessionsTexts.unread.text}
    </EmptyState>
  )
}

function Failed() {
  const sessionsTexts = useSessionsTexts()
  const texts = useTexts()
  const hawser = useHawser()
  return (
    <EmptyState
      icon={<AlertIcon size={26} />}
      title={sessionsTexts.failed}
      tone="error"
      action={
        <Button size="small" onClick={() => void fetchSmartSessions(hawser)}>
          {texts.tryAgain}
        </Button>
      }
      data-testid="smart-sessions-error"
    />
  )
}

/** Returns the tab of a session. A session that is being revoked can still be used. */
function tabOf({ status }: SmartSession): TabId {
  return status === 'revoking' ? 'active' : status
}

function Sessions({ sessions, tab }: { sessions: readonly SmartSession[]; tab: TabId }) {
  const tag = useLocaleTag()
  const sessionsTexts = useSessionsTexts()
  const now = useNow(NOW_EVERY_MS)
  if (sessions.length === 0)
    return <EmptyState icon={<ClockIcon size={26} />} title={sessionsTexts.empty[tab]} />
  return months(sessions, now, tag).map(({ month, ofMonth }) => (
    <section key={month} className="hw-activity-day">
      <h3 className="hw-heading" data-testid="group-title">
        {month}
      </h3>
      <List label={month} appearance="plain">
        {ofMonth.map((session) => (
          <SessionRow key={session.pci} session={session} />
        ))}
      </List>
    </section>
  ))
}

interface Month {
  month: string
  ofMonth: SmartSession[]
}

/** Groups sessions by the month of their creation. */
function months(sessions: readonly SmartSession[], now: number, tag: string): Month[] {
  const groups: Month[] = []
  for (const session of sessions) {
    const month = monthOf(session.createdAt * 1_000, now, tag)
    const last = groups.at(-1)
    if (last?.month === month) last.ofMonth.push(session)
    else groups.push({ month, ofMonth: [session] })
  }
  return groups
}
