import { SearchIcon } from '@hawser/ui'
import { useState } from 'react'
import { useConsole } from '../../api/ApiContext.ts'
import { usePages } from '../../api/usePages.ts'
import { durationText, exactTimeText, numberText, shortText } from '../../format.ts'
import type { SessionRecord } from '../../gen/hawser/sessions/v1/admin_pb.ts'
import { type Allowance, SessionState } from '../../gen/hawser/sessions/v1/sessions_pb.ts'
import { CopyText } from '../../parts/CopyText.tsx'
import { DataTable } from '../../parts/DataTable.tsx'
import { Page } from '../../parts/Page.tsx'
import { SearchForm } from '../../parts/SearchForm.tsx'
import { State } from '../../parts/State.tsx'
import { texts } from '../../texts.ts'
import { ProjectId } from '../projects/ProjectsScreen.tsx'
import { type FindSessions, findSessionsOf } from './query.ts'

/** The smart sessions of everybody, of an account or of a project, the newest first. */
export function SessionsScreen() {
  const { sessions } = texts
  const [query, setQuery] = useState<FindSessions>({})
  const [round, setRound] = useState(0)
  return (
    <Page title={texts.screens.sessions} lead={sessions.lead}>
      <SearchForm
        label={sessions.search}
        action={sessions.find}
        parse={findSessionsOf}
        problem={sessions.wrong}
        isPending={false}
        onSearch={(found) => {
          setQuery(found)
          setRound(round + 1)
        }}
      />
      <div className="card" data-flush aria-live="polite">
        <Found key={round} query={query} />
      </div>
    </Page>
  )
}

function Found({ query }: { query: FindSessions }) {
  const { api } = useConsole()
  const { sessions } = texts
  const pages = usePages('sessions', async (cursor, signal) => {
    const { sessions: rows, next } = await api.sessions.findSmartSessions({ ...query, cursor }, { signal })
    return { rows, next }
  })
  return (
    <DataTable
      label={sessions.results}
      data-testid="sessions"
      rows={pages.rows}
      rowKey={({ pci }) => pci}
      failure={pages.failure}
      onRetry={pages.reload}
      isLoading={pages.isLoading}
      hasMore={pages.hasMore}
      onMore={pages.loadMore}
      empty={{ icon: <SearchIcon size={26} />, title: sessions.empty, text: sessions.emptyText }}
      columns={[
        { key: 'account', title: sessions.account, isName: true, cell: (row) => <Account row={row} /> },
        { key: 'state', title: sessions.state, cell: (row) => <Progress row={row} /> },
        { key: 'allows', title: sessions.allows, cell: (row) => <Allows row={row} /> },
        { key: 'site', title: sessions.site, cell: (row) => <Site row={row} /> },
        { key: 'id', title: sessions.id, cell: ({ pci }) => <Id pci={pci} /> },
      ]}
    />
  )
}

const tones = {
  [SessionState.UNSPECIFIED]: 'neutral',
  [SessionState.PENDING]: 'warning',
  [SessionState.ACTIVE]: 'success',
  [SessionState.REVOKING]: 'warning',
  [SessionState.REVOKED]: 'neutral',
  [SessionState.EXPIRED]: 'neutral',
} as const satisfies Record<SessionState, string>

function Account({ row: { account, chainId } }: { row: SessionRecord }) {
  return (
    <span className="setting">
      <CopyText text={account} what={texts.sessions.account.toLowerCase()} shown={shortText(account)} />
      <span className="aside">{chainId}</span>
    </span>
  )
}

function Progress({ row: { state, createdAt, expiresAt, revokedAt } }: { row: SessionRecord }) {
  const { sessions } = texts
  return (
    <span className="setting">
      <State tone={tones[state] ?? 'neutral'}>{sessions.states[state]}</State>
      <span className="aside">{sessions.createdAt(exactTimeText(createdAt))}</span>
      <span className="aside">
        {revokedAt > 0n
          ? sessions.revokedAt(exactTimeText(revokedAt))
          : sessions.expiresAt(exactTimeText(expiresAt))}
      </span>
    </span>
  )
}

function Allows({ row }: { row: SessionRecord }) {
  const { sessions } = texts
  return (
    <span className="setting">
      <span>{row.permissions.join(', ')}</span>
      {row.allowances.map((allowance) => (
        <span key={allowance.permission} className="aside">
          {amountText(allowance)}
        </span>
      ))}
      {row.callsAllowed > 0 && (
        <span className="aside">{sessions.calls(numberText(row.callsAllowed), row.callsAllowed)}</span>
      )}
      {row.coSigned && <span className="aside">{sessions.coSigned}</span>}
    </span>
  )
}

/** Returns an amount in base units: the console asks no node how many decimals a token has. */
function amountText({ allowed, token, period }: Allowance): string {
  const { sessions } = texts
  const amount = sessions.amount(numberText(BigInt(allowed)), token && shortText(token))
  return period > 0 ? sessions.every(amount, durationText(BigInt(period))) : amount
}

function Site({ row: { origin, projectId } }: { row: SessionRecord }) {
  return (
    <span className="setting">
      <span>{origin || texts.none}</span>
      <ProjectId id={projectId} />
    </span>
  )
}

function Id({ pci }: { pci: string }) {
  return <CopyText text={pci} what={texts.sessions.id.toLowerCase()} shown={shortText(pci)} />
}
