import { Button, Checkbox, TextField } from '@hawser/ui'
import { useState } from 'react'
import { useConsole } from '../../api/ApiContext.ts'
import { useAction } from '../../api/useAction.ts'
import { usePages } from '../../api/usePages.ts'
import { saveFile, toCsv } from '../../csv.ts'
import { exactTimeText } from '../../format.ts'
import { type AuditEntry, AuditOutcome } from '../../gen/hawser/admin/v1/audit_pb.ts'
import { DataTable } from '../../parts/DataTable.tsx'
import { Problem } from '../../parts/Failed.tsx'
import { Select } from '../../parts/fields.tsx'
import { DownloadIcon, LogIcon } from '../../parts/icons.tsx'
import { Page } from '../../parts/Page.tsx'
import { State } from '../../parts/State.tsx'
import { texts } from '../../texts.ts'
import { ENDED, exportColumnsOf, filterOf, noFilters } from './filters.ts'

const PAGE = 50
const LARGEST_PAGE = 200
/** How many entries are exported at most: that is fifty calls. */
const MOST_EXPORTED = 10_000

/** What operators did, and what was refused. */
export function AuditScreen() {
  const { api, tell } = useConsole()
  const { audit } = texts
  const [filters, setFilters] = useState({ ...noFilters, outcome: ENDED, changesOnly: true })
  const set = (change: Partial<typeof filters>) => setFilters((before) => ({ ...before, ...change }))
  // What is typed is applied when it is submitted, not for every letter.
  const [applied, setApplied] = useState(filters)
  const request = filterOf(applied)
  const pages = usePages(JSON.stringify(applied), async (cursor, signal) => {
    const { entries, next } = await api.audit.listAudit({ ...request, cursor, limit: PAGE }, { signal })
    return { rows: entries, next }
  })
  const save = useAction(async () => {
    const entries: AuditEntry[] = []
    let cursor = ''
    do {
      const page = await api.audit.listAudit({ ...request, cursor, limit: LARGEST_PAGE })
      entries.push(...page.entries)
      cursor = page.next
    } while (cursor && entries.length < MOST_EXPORTED)
    saveFile('hawser-audit.csv', 'text/csv', toCsv(audit.columns, entries.map(exportColumnsOf)))
    tell(cursor ? audit.exportedSome(entries.length) : audit.exportedAll(entries.length))
  })
  const apply = (change: Partial<typeof filters> = {}) => {
    set(change)
    setApplied({ ...filters, ...change })
  }
  return (
    <Page
      title={texts.screens.audit}
      lead={audit.lead}
      actions={
        <Button size="small" icon={<DownloadIcon />} loading={save.isPending} onClick={() => void save.run()}>
          {audit.export}
        </Button>
      }
    >
      <Problem failure={save.failure} />
      <form
        className="filters"
        aria-label={audit.filters}
        onSubmit={(event) => {
          event.preventDefault()
          apply()
        }}
      >
        <Select
          label={audit.outcome}
          value={filters.outcome}
          options={[
            [ENDED, audit.ended],
            ['', audit.anyOutcome],
            ...[AuditOutcome.STARTED, AuditOutcome.DONE, AuditOutcome.REFUSED, AuditOutcome.FAILED].map(
              (outcome) => [String(outcome), audit.outcomes[outcome]] as const,
            ),
          ]}
          onChange={(outcome) => apply({ outcome })}
        />
        <TextField
          label={audit.call}
          labelStyle="above"
          placeholder={audit.filterCall}
          value={filters.call}
          onChange={(event) => set({ call: event.target.value })}
        />
        <TextField
          label={audit.target}
          labelStyle="above"
          placeholder={audit.filterTarget}
          value={filters.target}
          onChange={(event) => set({ target: event.target.value })}
        />
        <TextField
          label={audit.from}
          labelStyle="above"
          type="date"
          value={filters.from}
          onChange={(event) => apply({ from: event.target.value })}
        />
        <TextField
          label={audit.until}
          labelStyle="above"
          type="date"
          value={filters.until}
          onChange={(event) => apply({ until: event.target.value })}
        />
        <Checkbox checked={filters.changesOnly} onChange={(changesOnly) => apply({ changesOnly })}>
          {audit.changesOnly}
        </Checkbox>
        <Button type="submit" size="small">
          {audit.apply}
        </Button>
      </form>
      <div className="card" data-flush>
        <DataTable
          label={texts.screens.audit}
          data-testid="audit"
          rows={pages.rows}
          rowKey={({ id }) => String(id)}
          failure={pages.failure}
          onRetry={pages.reload}
          isLoading={pages.isLoading}
          hasMore={pages.hasMore}
          onMore={pages.loadMore}
          empty={{ icon: <LogIcon size={26} />, title: audit.empty, text: audit.emptyText }}
          columns={[
            {
              key: 'call',
              title: audit.call,
              isName: true,
              cell: (entry) => <Call entry={entry} />,
            },
            { key: 'who', title: audit.who, cell: (entry) => <Who entry={entry} /> },
            {
              key: 'outcome',
              title: audit.outcome,
              cell: ({ outcome, reason }) => (
                <State tone={tones[outcome] ?? 'neutral'}>
                  {reason ? `${audit.outcomes[outcome]}: ${reason}` : audit.outcomes[outcome]}
                </State>
              ),
            },
            { key: 'at', title: audit.when, cell: ({ at }) => <time>{exactTimeText(at)}</time> },
          ]}
        />
      </div>
    </Page>
  )
}

const tones = {
  [AuditOutcome.UNSPECIFIED]: 'neutral',
  [AuditOutcome.STARTED]: 'neutral',
  [AuditOutcome.DONE]: 'success',
  [AuditOutcome.REFUSED]: 'warning',
  [AuditOutcome.FAILED]: 'error',
} as const satisfies Record<AuditOutcome, string>

function Call({ entry: { call, target, before, after } }: { entry: AuditEntry }) {
  const { audit } = texts
  return (
    <span className="setting">
      <code>{call}</code>
      {target && (
        <code className="aside cut" title={target}>
          {target}
        </code>
      )}
      {(before || after) && (
        <details className="change">
          <summary>{audit.details}</summary>
          {before && <Snapshot title={audit.before} json={before} />}
          {after && <Snapshot title={audit.after} json={after} />}
        </details>
      )}
    </span>
  )
}

function Snapshot({ title, json }: { title: string; json: string }) {
  return (
    <>
      <span className="aside">{title}</span>
      <code className="value">{json}</code>
    </>
  )
}

function Who({ entry: { operatorName, role, address } }: { entry: AuditEntry }) {
  const about = [role ? texts.roles[role] : '', address].filter(Boolean).join(' · ')
  return (
    <span className="setting">
      <span className="cut" title={operatorName}>
        {operatorName || texts.audit.nobody}
      </span>
      {about && <span className="aside">{about}</span>}
    </span>
  )
}
