import { BoltIcon, Tag } from '@hawser/ui'
import { bytesText, durationText, numberText } from '../format.ts'
import type { Process, Stream, Vendor } from '../gen/hawser/status/v1/status_pb.ts'
import { Card } from '../parts/Card.tsx'
import { DataTable } from '../parts/DataTable.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Failed } from '../parts/Failed.tsx'
import { ServerIcon } from '../parts/icons.tsx'
import { LiveTag } from '../parts/LiveTag.tsx'
import { Page } from '../parts/Page.tsx'
import { State } from '../parts/State.tsx'
import { useHealth } from '../shell/HealthContext.ts'
import { texts } from '../texts.ts'

/** The processes of the suite, the streams of events and the vendors. */
export function SuiteScreen() {
  const { health, failure } = useHealth()
  const suite = health?.suite
  const lost = health ? undefined : failure
  return (
    <Page title={texts.screens.suite} lead={texts.suite.lead} actions={<LiveTag />}>
      {lost && (
        <div className="card">
          <Failed failure={lost} onRetry={() => location.reload()} />
        </div>
      )}
      <div className="columns">
        {suite?.processes.map((process) => (
          <ProcessCard key={`${process.address} ${process.target}`} process={process} />
        ))}
      </div>
      {!lost && (
        <>
          <Streams streams={suite?.streams} />
          <Vendors vendors={suite?.processes.flatMap(({ vendors }) => vendors)} />
        </>
      )}
    </Page>
  )
}

function ProcessCard({ process }: { process: Process }) {
  const { suite } = texts
  return (
    <Card
      title={process.target}
      hint={process.address}
      end={<State tone={process.error ? 'error' : 'success'}>{process.error ? suite.down : suite.up}</State>}
    >
      {process.error ? (
        <p className="notice" data-tone="error">
          {process.error}
        </p>
      ) : (
        <Facts
          facts={[
            [suite.release, <Release key="release" process={process} />],
            [suite.uptime, durationText(process.uptimeSeconds)],
            [suite.database, <DatabaseState key="database" process={process} />],
            [suite.bus, <BusState key="bus" process={process} />],
            [
              suite.services,
              <span key="services" className="tags">
                {process.services.map(({ name, ready, error }) => (
                  <span key={name} title={error || suite.ready}>
                    <Tag tone={ready ? 'neutral' : 'warning'}>
                      {ready ? name : `${name}: ${suite.notReady}`}
                    </Tag>
                  </span>
                ))}
              </span>,
            ],
          ]}
        />
      )}
    </Card>
  )
}

function Release({ process: { version, commit } }: { process: Process }) {
  return (
    <>
      {version} <code>{commit.slice(0, 12)}</code>
    </>
  )
}

function DatabaseState({ process: { database } }: { process: Process }) {
  const { suite } = texts
  if (!database) return texts.none
  const behind = database.migrations.filter(({ applied, newest }) => applied < newest)
  return (
    <>
      {suite.databaseKinds[database.kind] ?? database.kind}
      {database.error && <State tone="error">{database.error}</State>}
      {behind.map(({ part }) => (
        <State key={part} tone="warning">
          {suite.migrationBehind(part)}
        </State>
      ))}
    </>
  )
}

function BusState({ process: { bus } }: { process: Process }) {
  const { suite } = texts
  if (!bus) return texts.none
  return (
    <>
      {bus.embedded ? suite.busEmbedded : suite.busServer(bus.server)}
      {bus.error && <State tone="error">{bus.error}</State>}
    </>
  )
}

function Streams({ streams }: { streams: readonly Stream[] | undefined }) {
  const { suite } = texts
  return (
    <Card title={suite.streams} hint={suite.streamsHint} flush>
      <DataTable
        label={suite.streams}
        rows={streams}
        rowKey={({ name }) => name}
        empty={{ icon: <BoltIcon size={26} />, title: suite.noStreams, text: suite.noStreamsText }}
        columns={[
          { key: 'name', title: suite.stream, isName: true, cell: ({ name }) => <code>{name}</code> },
          {
            key: 'messages',
            title: suite.messages,
            align: 'end',
            cell: ({ messages }) => numberText(messages),
          },
          { key: 'size', title: suite.size, align: 'end', cell: ({ bytes }) => bytesText(bytes) },
          {
            key: 'copies',
            title: suite.copies,
            align: 'end',
            cell: ({ replicas, copies }) =>
              replicas.length > 0
                ? `${replicas.filter(({ current }) => current).length} / ${copies}`
                : String(copies),
          },
          {
            key: 'quorum',
            title: suite.quorum,
            cell: ({ quorum }) => (
              <State tone={quorum ? 'success' : 'error'}>{quorum ? texts.yes : texts.no}</State>
            ),
          },
        ]}
      />
    </Card>
  )
}

function Vendors({ vendors }: { vendors: readonly Vendor[] | undefined }) {
  const { suite } = texts
  return (
    <Card title={suite.vendors} hint={suite.vendorsHint} flush>
      <DataTable
        label={suite.vendors}
        rows={vendors}
        rowKey={({ kind, name }) => `${kind} ${name}`}
        empty={{ icon: <ServerIcon size={26} />, title: suite.noVendors, text: suite.noVendorsText }}
        columns={[
          { key: 'name', title: suite.vendor, isName: true, cell: ({ name }) => name },
          { key: 'kind', title: suite.vendorKind, cell: ({ kind }) => suite.vendorKinds[kind] ?? kind },
          {
            key: 'state',
            title: suite.state,
            cell: ({ pausedSeconds }) => (
              <State tone={pausedSeconds > 0n ? 'warning' : 'success'}>
                {pausedSeconds > 0n ? suite.paused(durationText(pausedSeconds)) : suite.asked}
              </State>
            ),
          },
        ]}
      />
    </Card>
  )
}
