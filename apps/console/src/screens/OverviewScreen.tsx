import { Button, CheckIcon, ExternalIcon, Skeleton } from '@hawser/ui'
import { useState } from 'react'
import { useConsole, useMay } from '../api/ApiContext.ts'
import { useRead } from '../api/useRead.ts'
import { numberText } from '../format.ts'
import { type Health, type Problem, Severity } from '../gen/hawser/admin/v1/health_pb.ts'
import type { AdminProject } from '../gen/hawser/admin/v1/projects_pb.ts'
import { Role } from '../gen/hawser/options/v1/options_pb.ts'
import { NodeState } from '../gen/hawser/status/v1/status_pb.ts'
import { Card } from '../parts/Card.tsx'
import { DaysChart } from '../parts/DaysChart.tsx'
import { Failed } from '../parts/Failed.tsx'
import { Select } from '../parts/fields.tsx'
import { LiveTag } from '../parts/LiveTag.tsx'
import { Page } from '../parts/Page.tsx'
import { useHealth } from '../shell/HealthContext.ts'
import { goTo } from '../shell/route.ts'
import { texts } from '../texts.ts'
import { byDay } from './analytics/counts.ts'
import { CONNECTED, OPENED } from './analytics/events.ts'

const DAYS = 30

/** How the suite is, what to do about it, and what visitors do. */
export default function OverviewScreen() {
  const { api } = useConsole()
  const { health, failure } = useHealth()
  const projects = useRead('projects', (signal) => api.projects.listProjects({}, { signal }))
  return (
    <Page title={texts.screens.overview} actions={<LiveTag />}>
      {failure && !health ? (
        <div className="card">
          <Failed failure={failure} onRetry={() => location.reload()} />
        </div>
      ) : (
        <HealthCard health={health} />
      )}
      <Numbers health={health} projects={projects.data?.projects} hasMore={Boolean(projects.data?.next)} />
      {projects.failure && !projects.data ? (
        <div className="card">
          <Failed failure={projects.failure} onRetry={projects.reload} />
        </div>
      ) : (
        <Visitors projects={projects.data?.projects} />
      )}
    </Page>
  )
}

function HealthCard({ health }: { health: Health | undefined }) {
  const { me } = useConsole()
  if (!health) {
    return (
      <section className="health" data-state="checking" role="status">
        <Skeleton shape="circle" width={40} height={40} />
        <p>{texts.overview.checking}</p>
      </section>
    )
  }
  if (health.problems.length === 0) {
    return (
      <section className="health" data-state="good" role="status" data-testid="healthy">
        <span className="health-mark">
          <CheckIcon size={22} />
        </span>
        <div>
          <h2>{texts.overview.healthy}</h2>
          <p>{texts.overview.healthyText}</p>
        </div>
      </section>
    )
  }
  return (
    <Card title={texts.overview.problems(health.problems.length)} data-testid="problems">
      <ul className="problems">
        {health.problems.map((problem) => (
          <ProblemRow
            key={`${problem.kind} ${problem.subject} ${problem.text}`}
            problem={problem}
            documentation={me.documentation}
          />
        ))}
      </ul>
    </Card>
  )
}

function ProblemRow({ problem, documentation }: { problem: Problem; documentation: string }) {
  const isError = problem.severity === Severity.ERROR
  return (
    <li>
      <span className="severity" data-tone={isError ? 'error' : 'warning'}>
        {isError ? texts.overview.severity.error : texts.overview.severity.warning}
      </span>
      <span className="problem-text">
        {sentence(problem.text)}
        {problem.subject && <code>{problem.subject}</code>}
      </span>
      {problem.runbook && (
        <a className="link" href={`${documentation}${problem.runbook}`} target="_blank" rel="noreferrer">
          {texts.overview.whatToDo}
          <ExternalIcon size={14} />
        </a>
      )}
    </li>
  )
}

/** Returns a text of the logs, which begins in lower case, as a sentence begins. */
function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

interface NumbersProps {
  health: Health | undefined
  projects: readonly AdminProject[] | undefined
  hasMore: boolean
}

function Numbers({ health, projects, hasMore }: NumbersProps) {
  const { overview } = texts
  const suite = health?.suite
  const processes = suite?.processes ?? []
  const chains = processes.flatMap((process) => process.chains)
  const nodes = chains.flatMap((chain) => chain.nodes)
  const isAsked = (state: NodeState) => state !== NodeState.UNKNOWN && state !== NodeState.UNSPECIFIED
  const asked = nodes.filter(({ state }) => isAsked(state))
  const streams = suite?.streams ?? []
  const of = (good: number, all: number) => suite && overview.processesOf(good, all)
  return (
    <dl className="numbers-row">
      <Stat
        name={overview.processes}
        value={of(processes.filter(({ error }) => !error).length, processes.length)}
      />
      <Stat
        name={overview.chains}
        value={suite && numberText(new Set(chains.map(({ chainId }) => chainId)).size)}
      />
      <Stat
        name={overview.nodesUp}
        value={of(asked.filter(({ state }) => state === NodeState.UP).length, asked.length)}
      />
      <Stat
        name={overview.streams}
        value={of(streams.filter(({ quorum }) => quorum).length, streams.length)}
      />
      <Stat
        name={overview.projects}
        value={projects && overview.projectsText(projects.filter(({ enabled }) => enabled).length, hasMore)}
      />
    </dl>
  )
}

function Stat({ name, value }: { name: string; value: string | undefined }) {
  return (
    <div className="stat">
      <dt>{name}</dt>
      <dd>{value ?? <Skeleton width={64} height={24} />}</dd>
    </div>
  )
}

function Visitors({ projects }: { projects: readonly AdminProject[] | undefined }) {
  const mayCreate = useMay(Role.OPERATOR)
  const [chosen, setChosen] = useState<string>()
  const { api } = useConsole()
  const id = chosen ?? projects?.find(({ enabled }) => enabled)?.id ?? projects?.[0]?.id
  const counts = useRead(id && `counts ${id}`, (signal) =>
    api.counts.listCounts({ projectId: id ?? '', days: DAYS }, { signal }),
  )
  if (projects?.length === 0) {
    return (
      <Card title={texts.overview.noProjects} hint={texts.overview.noProjectsText}>
        {mayCreate && (
          <div className="actions">
            <Button variant="primary" size="small" onClick={() => goTo('projects', 'new')}>
              {texts.overview.createProject}
            </Button>
          </div>
        )}
      </Card>
    )
  }
  return (
    <Card
      title={texts.overview.activity}
      hint={texts.overview.activityHint}
      end={
        projects &&
        id && (
          <Select
            label={texts.analytics.project}
            labelStyle="hidden"
            value={id}
            options={projects.map((project) => [project.id, project.name] as const)}
            onChange={setChosen}
          />
        )
      }
    >
      {counts.failure && !counts.data ? (
        <Failed failure={counts.failure} onRetry={counts.reload} />
      ) : counts.data ? (
        <DaysChart
          label={texts.overview.activityHint}
          days={byDay(counts.data.counts, { opened: OPENED, connected: CONNECTED }, DAYS, Date.now())}
          series={[
            { key: 'opened', label: texts.analytics.opened },
            { key: 'connected', label: texts.analytics.connected },
          ]}
        />
      ) : (
        <div className="chart-space" role="status">
          <span className="hw-visually-hidden">{texts.loading}</span>
        </div>
      )}
    </Card>
  )
}
