import { Button, PlusIcon } from '@hawser/ui'
import { useConsole, useMay } from '../../api/ApiContext.ts'
import { usePages } from '../../api/usePages.ts'
import { timeText } from '../../format.ts'
import type { AdminProject } from '../../gen/hawser/admin/v1/projects_pb.ts'
import { Role } from '../../gen/hawser/options/v1/options_pb.ts'
import { Card } from '../../parts/Card.tsx'
import { CopyText } from '../../parts/CopyText.tsx'
import { DataTable } from '../../parts/DataTable.tsx'
import { ProjectIcon } from '../../parts/icons.tsx'
import { Page } from '../../parts/Page.tsx'
import { State } from '../../parts/State.tsx'
import { goTo, hrefOf } from '../../shell/route.ts'
import { texts } from '../../texts.ts'

/** Every project. */
export function ProjectsScreen() {
  const { api } = useConsole()
  const mayCreate = useMay(Role.OPERATOR)
  const pages = usePages('projects', async (cursor, signal) => {
    const { projects, next } = await api.projects.listProjects({ cursor }, { signal })
    return { rows: projects, next }
  })
  const create = mayCreate && (
    <Button variant="primary" size="small" icon={<PlusIcon />} onClick={() => goTo('projects', 'new')}>
      {texts.projects.create}
    </Button>
  )
  const { projects } = texts
  return (
    <Page
      title={texts.screens.projects}
      lead={projects.lead}
      actions={pages.rows?.length ? create : undefined}
    >
      <Card title={texts.screens.projects} flush hideTitle>
        <DataTable
          label={texts.screens.projects}
          data-testid="projects"
          rows={pages.rows}
          rowKey={({ id }) => id}
          failure={pages.failure}
          onRetry={pages.reload}
          isLoading={pages.isLoading}
          hasMore={pages.hasMore}
          onMore={pages.loadMore}
          empty={{
            icon: <ProjectIcon size={26} />,
            title: projects.empty,
            text: projects.emptyText,
            action: create,
          }}
          columns={[
            {
              key: 'name',
              title: projects.name,
              isName: true,
              cell: ({ id, name }) => (
                <a className="row-link" href={hrefOf('projects', id)} title={name}>
                  {name}
                </a>
              ),
            },
            { key: 'id', title: projects.id, cell: ({ id }) => <ProjectId id={id} /> },
            { key: 'origins', title: projects.origins, cell: (project) => <Origins project={project} /> },
            {
              key: 'state',
              title: projects.state,
              cell: ({ enabled }) => (
                <State tone={enabled ? 'success' : 'neutral'}>
                  {enabled ? projects.enabled : projects.disabled}
                </State>
              ),
            },
            {
              key: 'created',
              title: projects.createdAt,
              cell: ({ createdAt }) => timeText(createdAt / 1000n),
            },
          ]}
        />
      </Card>
    </Page>
  )
}

/** The id of a project, short and with a button to copy it. */
export function ProjectId({ id }: { id: string }) {
  return <CopyText text={id} what={texts.projects.id.toLowerCase()} shown={`${id.slice(0, 8)}…`} />
}

function Origins({ project: { allowedOrigins } }: { project: AdminProject }) {
  const [first, ...rest] = allowedOrigins
  if (!first) return <State tone="warning">{texts.projects.anyOriginTag}</State>
  return (
    <span className="cut" title={allowedOrigins.join('\n')}>
      {first} {rest.length > 0 && <span className="aside">{texts.projects.moreOrigins(rest.length)}</span>}
    </span>
  )
}
