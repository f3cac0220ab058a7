import { Button, EmptyState, NameIcon, SearchIcon, Tag } from '@hawser/ui'
import { useState } from 'react'
import { useConsole, useMay } from '../../api/ApiContext.ts'
import { useAction } from '../../api/useAction.ts'
import { useRead } from '../../api/useRead.ts'
import { exactTimeText, shortText } from '../../format.ts'
import type { NameRecord } from '../../gen/hawser/names/v1/admin_pb.ts'
import { Role } from '../../gen/hawser/options/v1/options_pb.ts'
import { Confirm } from '../../parts/Confirm.tsx'
import { CopyText } from '../../parts/CopyText.tsx'
import { DataTable } from '../../parts/DataTable.tsx'
import { Page } from '../../parts/Page.tsx'
import { SearchForm } from '../../parts/SearchForm.tsx'
import { texts } from '../../texts.ts'
import { BlockedLabels } from './BlockedLabels.tsx'
import { type FindNames, findNamesOf } from './query.ts'

/** Finds names, takes them back, and blocks labels. */
export function NamesScreen() {
  const { names } = texts
  const [query, setQuery] = useState<FindNames>()
  const [round, setRound] = useState(0)
  return (
    <Page title={texts.screens.names} lead={names.lead}>
      <SearchForm
        label={names.search}
        action={names.find}
        parse={findNamesOf}
        problem={names.wrong}
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
          <EmptyState icon={<NameIcon size={26} />} title={names.start}>
            {names.startText}
          </EmptyState>
        )}
      </div>
      <BlockedLabels />
    </Page>
  )
}

function Found({ query }: { query: FindNames }) {
  const { api, tell } = useConsole()
  const { names } = texts
  const mayTake = useMay(Role.OPERATOR)
  const reading = useRead('names', (signal) => api.names.findNames(query, { signal }))
  const [asked, setAsked] = useState<NameRecord>()
  const take = useAction(async ({ name, registeredAt }: NameRecord) => {
    await api.names.takeName({ name, registeredAt })
    tell(names.taken)
    setAsked(undefined)
    reading.reload()
  })
  return (
    <>
      <DataTable
        label={names.results}
        data-testid="names"
        rows={reading.data?.names}
        rowKey={({ name }) => name}
        failure={reading.failure}
        onRetry={reading.reload}
        empty={{ icon: <SearchIcon size={26} />, title: names.empty, text: names.emptyText }}
        columns={[
          { key: 'name', title: names.name, isName: true, cell: (record) => <Name record={record} /> },
          { key: 'owner', title: names.owner, cell: (record) => <Owner record={record} /> },
          {
            key: 'registered',
            title: names.registeredAt,
            cell: ({ registeredAt, updatedAt }) => (
              <span className="setting">
                <time>{exactTimeText(registeredAt)}</time>
                {updatedAt > registeredAt && (
                  <span className="aside">{names.changed(exactTimeText(updatedAt))}</span>
                )}
              </span>
            ),
          },
          {
            key: 'take',
            title: names.take,
            hideTitle: true,
            align: 'end',
            cell: (record) =>
              mayTake && (
                <Button
                  size="small"
                  variant="quiet"
                  aria-label={`${names.take}: ${record.name}`}
                  onClick={() => setAsked(record)}
                >
                  {names.take}
                </Button>
              ),
          },
        ]}
      />
      <Confirm
        open={asked !== undefined}
        title={names.takeTitle(asked?.name ?? '')}
        action={names.take}
        typed={{ text: asked?.name ?? '', label: names.takeType }}
        isPending={take.isPending}
        failure={take.failure}
        onConfirm={() => asked && void take.run(asked)}
        onClose={() => {
          setAsked(undefined)
          take.clear()
        }}
      >
        {names.takeText}
      </Confirm>
    </>
  )
}

function Name({ record: { name, attributes, addresses } }: { record: NameRecord }) {
  const { names } = texts
  return (
    <span className="setting">
      <CopyText text={name} what={names.name.toLowerCase()} />
      <details className="change">
        <summary>{names.records}</summary>
        <Records title={names.addresses} records={addresses} />
        <Records title={names.attributes} records={attributes} />
      </details>
    </span>
  )
}

function Records({ title, records }: { title: string; records: Readonly<Record<string, string>> }) {
  const entries = Object.entries(records)
  return (
    <>
      <span className="aside">{title}</span>
      <code className="value">
        {entries.map(([key, value]) => `${key}: ${value}`).join('\n') || texts.none}
      </code>
    </>
  )
}

function Owner({ record: { owner, ownerChain, given } }: { record: NameRecord }) {
  const { names } = texts
  return (
    <span className="setting">
      <span className="tags">
        <CopyText text={owner} what={names.owner.toLowerCase()} shown={shortText(owner)} />
        {given && <Tag tone="warning">{names.given}</Tag>}
      </span>
      {ownerChain && <span className="aside">{ownerChain}</span>}
    </span>
  )
}
