import { Button, EmptyState } from '@hawser/ui'
import { type ReactNode, useState } from 'react'
import { useConsole } from '../../api/ApiContext.ts'
import { usePages } from '../../api/usePages.ts'
import { useRead } from '../../api/useRead.ts'
import { saveFile, toCsv } from '../../csv.ts'
import { numberText } from '../../format.ts'
import type { EventCount } from '../../gen/hawser/admin/v1/analytics_pb.ts'
import { BarList } from '../../parts/BarList.tsx'
import { Card } from '../../parts/Card.tsx'
import { DaysChart } from '../../parts/DaysChart.tsx'
import { Failed } from '../../parts/Failed.tsx'
import { Select } from '../../parts/fields.tsx'
import { ChartIcon, DownloadIcon } from '../../parts/icons.tsx'
import { Page } from '../../parts/Page.tsx'
import { goTo } from '../../shell/route.ts'
import { texts } from '../../texts.ts'
import { byDay, byDetail, byEvent, failuresOf, percentOf, totalOf } from './counts.ts'
import { BOUGHT, CONNECTED, OPENED, SELECTED, SENT, SIGNED_IN, SWAPPED } from './events.ts'

/** What visitors of one project do. */
export default function AnalyticsScreen({ projectId }: { projectId: string | undefined }) {
  const { api } = useConsole()
  const [days, setDays] = useState('30')
  const projects = usePages('projects', async (cursor, signal) => {
    const { projects, next } = await api.projects.listProjects({ cursor }, { signal })
    return { rows: projects, next }
  })
  const id = projectId ?? projects.rows?.find(({ enabled }) => enabled)?.id ?? projects.rows?.[0]?.id
  const counts = useRead(id && `counts ${id} ${days}`, (signal) =>
    api.counts.listCounts({ projectId: id ?? '', days: Number(days) }, { signal }),
  )
  const failed = projects.failure ? projects : counts.failure ? counts : undefined
  const found = counts.data?.counts
  return (
    <Page
      title={texts.screens.analytics}
      lead={texts.analytics.lead}
      actions={
        found &&
        found.length > 0 && (
          <Button size="small" icon={<DownloadIcon />} onClick={() => saveCounts(id ?? '', found)}>
            {texts.downloadCsv}
          </Button>
        )
      }
    >
      {projects.rows && projects.rows.length > 0 && id && (
        <div className="filters">
          <Select
            label={texts.analytics.project}
            value={id}
            options={projects.rows.map((project) => [project.id, project.name] as const)}
            onChange={(chosen) => goTo('analytics', chosen)}
          />
          <Select
            label={texts.analytics.days}
            value={days}
            options={Object.entries(texts.analytics.daysOptions)}
            onChange={setDays}
          />
        </div>
      )}
      {failed?.failure ? (
        <div className="card">
          <Failed failure={failed.failure} onRetry={failed.reload} />
        </div>
      ) : projects.rows?.length === 0 ? (
        <Nothing title={texts.overview.noProjects}>{texts.overview.noProjectsText}</Nothing>
      ) : !found ? (
        <div className="card chart-space" role="status">
          <span className="hw-visually-hidden">{texts.loading}</span>
        </div>
      ) : found.length === 0 ? (
        <Nothing title={texts.analytics.empty}>{texts.analytics.emptyText}</Nothing>
      ) : (
        <Charts counts={found} days={Number(days)} />
      )}
    </Page>
  )
}

function Nothing({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="card">
      <EmptyState icon={<ChartIcon size={26} />} title={title}>
        {children}
      </EmptyState>
    </div>
  )
}

function Charts({ counts, days }: { counts: readonly EventCount[]; days: number }) {
  const { analytics } = texts
  const opened = totalOf(counts, ...OPENED)
  const connected = totalOf(counts, ...CONNECTED)
  const share = (part: number) => {
    const percent = percentOf(part, opened)
    return percent === undefined ? undefined : analytics.ofOpened(`${percent} %`)
  }
  const named = (event: string) =>
    byDetail(counts, event).map(({ name, count }) => ({ name: analytics.details[name] ?? name, count }))
  const failures = failuresOf(counts)
  return (
    <>
      <dl className="numbers-row">
        {(
          [
            [analytics.totals.opened, opened],
            [analytics.totals.connected, connected],
            [analytics.totals.sent, totalOf(counts, ...SENT)],
            [analytics.totals.swapped, totalOf(counts, ...SWAPPED)],
            [analytics.totals.bought, totalOf(counts, ...BOUGHT)],
          ] as const
        ).map(([name, count]) => (
          <div key={name} className="stat">
            <dt>{name}</dt>
            <dd>{numberText(count)}</dd>
          </div>
        ))}
      </dl>
      <Card title={analytics.days_} hint={analytics.daysHint}>
        <DaysChart
          label={analytics.daysHint}
          days={byDay(counts, { opened: OPENED, connected: CONNECTED }, days, Date.now())}
          series={[
            { key: 'opened', label: analytics.opened },
            { key: 'connected', label: analytics.connected },
          ]}
        />
      </Card>
      <div className="columns">
        <Card title={analytics.funnel} hint={analytics.funnelHint}>
          <BarList
            label={analytics.funnel}
            bars={[
              { name: analytics.funnelSteps.opened, count: opened },
              ...(
                [
                  [analytics.funnelSteps.selected, totalOf(counts, ...SELECTED)],
                  [analytics.funnelSteps.connected, connected],
                  [analytics.funnelSteps.signed, totalOf(counts, ...SIGNED_IN)],
                ] as const
              ).map(([name, count]) => ({ name, count, note: share(count) })),
            ]}
          />
        </Card>
        <Bars title={analytics.methods} bars={named('CONNECT_SUCCESS')} />
        <Bars title={analytics.platforms} bars={named('SELECT_WALLET')} />
        <Bars
          title={analytics.networks}
          hint={analytics.networksHint}
          bars={Object.entries(analytics.networkSteps).map(([event, name]) => ({
            name,
            count: totalOf(counts, event),
          }))}
        />
        <Bars
          title={analytics.problems}
          hint={analytics.problemsHint}
          bars={failures}
          nothing={analytics.noProblems}
        />
        <Bars title={analytics.events} bars={byEvent(counts)} />
      </div>
    </>
  )
}

interface BarsProps {
  title: string
  hint?: string
  bars: readonly { name: string; count: number }[]
  nothing?: string
}

function Bars({ title, hint, bars, nothing = texts.analytics.empty }: BarsProps) {
  return (
    <Card title={title} hint={hint}>
      {bars.some(({ count }) => count > 0) ? (
        <BarList label={title} bars={bars} />
      ) : (
        <p className="nothing">{nothing}</p>
      )}
    </Card>
  )
}

function saveCounts(projectId: string, counts: readonly EventCount[]): void {
  const { day, event, detail, count } = texts.analytics
  const rows = counts.map((each) => [each.day, each.event, each.detail, each.count])
  saveFile(`hawser-events-${projectId.slice(0, 8)}.csv`, 'text/csv', toCsv([day, event, detail, count], rows))
}
