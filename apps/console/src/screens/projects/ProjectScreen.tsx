import { Button, Skeleton } from '@hawser/ui'
import { useState } from 'react'
import { useConsole, useMay } from '../../api/ApiContext.ts'
import { useAction } from '../../api/useAction.ts'
import { useRead } from '../../api/useRead.ts'
import { timeText } from '../../format.ts'
import type { AdminProject } from '../../gen/hawser/admin/v1/projects_pb.ts'
import { Role } from '../../gen/hawser/options/v1/options_pb.ts'
import { Card } from '../../parts/Card.tsx'
import { CodeBlock } from '../../parts/CodeBlock.tsx'
import { Confirm } from '../../parts/Confirm.tsx'
import { CopyText } from '../../parts/CopyText.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { Failed } from '../../parts/Failed.tsx'
import { Segmented } from '../../parts/fields.tsx'
import { Page } from '../../parts/Page.tsx'
import { State } from '../../parts/State.tsx'
import { goTo, hrefOf } from '../../shell/route.ts'
import { initialDesign } from '../../studio/design.ts'
import { reactCode, scriptCode } from '../../studio/exportCode.ts'
import { texts } from '../../texts.ts'
import { draftOf, updateRequestOf } from './draft.ts'
import { ProjectForm } from './ProjectForm.tsx'
import { useSite } from './useSite.ts'

/** One project: its snippet and its settings. */
export function ProjectScreen({ id }: { id: string }) {
  const { api } = useConsole()
  const mayChange = useMay(Role.OPERATOR)
  const reading = useRead(`project ${id}`, (signal) => api.projects.getProject({ id }, { signal }))
  const [changed, setChanged] = useState<AdminProject>()
  const project = changed ?? reading.data?.project
  const back = { label: texts.screens.projects, href: hrefOf('projects') }
  if (!project) {
    return (
      <Page title={texts.projects.edit} back={back}>
        <div className="card">
          {reading.failure ? (
            <Failed failure={reading.failure} onRetry={reading.reload} />
          ) : (
            <div role="status" className="loading-block">
              <span className="hw-visually-hidden">{texts.loading}</span>
              <Skeleton width={240} height={20} />
              <Skeleton width={420} height={14} />
              <Skeleton width={360} height={14} />
            </div>
          )}
        </div>
      </Page>
    )
  }
  return (
    <Page
      title={project.name}
      back={back}
      actions={
        <Button size="small" onClick={() => goTo('analytics', id)}>
          {texts.screens.analytics}
        </Button>
      }
    >
      {!project.enabled && (
        <p className="notice" data-tone="warning">
          {texts.projects.disabledNotice}
        </p>
      )}
      <FactsCard project={project} />
      <Snippet id={id} />
      {mayChange && (
        <Edit
          // After a change the form starts from what was stored.
          key={String(project.changedAt)}
          project={project}
          onChanged={setChanged}
        />
      )}
      {mayChange && <TurnOff project={project} onChanged={setChanged} />}
    </Page>
  )
}

function FactsCard({ project }: { project: AdminProject }) {
  const { projects } = texts
  return (
    <Card title={projects.state} hideTitle>
      <Facts
        facts={[
          [projects.id, <CopyText key="id" text={project.id} what={projects.id.toLowerCase()} />],
          [
            projects.state,
            <State key="state" tone={project.enabled ? 'success' : 'neutral'}>
              {project.enabled ? projects.enabled : projects.disabled}
            </State>,
          ],
          [projects.origins, <OriginList key="origins" origins={project.allowedOrigins} />],
          [
            projects.rate,
            project.requestsPerSecond > 0
              ? projects.rateText(String(project.requestsPerSecond), String(project.burst))
              : projects.defaultRate,
          ],
          [projects.createdAt, timeText(project.createdAt / 1000n)],
          [projects.changedAt, timeText(project.changedAt / 1000n)],
        ]}
      />
    </Card>
  )
}

function OriginList({ origins }: { origins: readonly string[] }) {
  if (origins.length === 0) return <State tone="warning">{texts.projects.anyOriginTag}</State>
  return (
    <ul className="plain-list">
      {origins.map((origin) => (
        <li key={origin}>
          <code>{origin}</code>
        </li>
      ))}
    </ul>
  )
}

function Snippet({ id }: { id: string }) {
  const { projects, theme } = texts
  const [kind, setKind] = useState<'react' | 'script'>('react')
  const { site, isKnown } = useSite(id)
  const design = { ...initialDesign, locale: 'en' as const }
  return (
    <Card
      title={projects.snippet}
      hint={projects.snippetHint}
      end={
        <Button size="small" onClick={() => goTo('theme', id)}>
          {projects.designIt}
        </Button>
      }
      data-testid="snippet"
    >
      <Segmented
        label={projects.snippet}
        labelStyle="hidden"
        value={kind}
        options={[
          ['react', theme.codeTabs.react],
          ['script', theme.codeTabs.script],
        ]}
        onChange={setKind}
      />
      {isKnown === false && <p className="aside">{projects.snippetUnknownUrl}</p>}
      <CodeBlock
        code={kind === 'react' ? reactCode(design, site) : scriptCode(design, site)}
        label={projects.snippet.toLowerCase()}
      />
    </Card>
  )
}

interface ChangeProps {
  project: AdminProject
  onChanged: (project: AdminProject | undefined) => void
}

function Edit({ project, onChanged }: ChangeProps) {
  const { api, tell } = useConsole()
  const [draft, setDraft] = useState(() => draftOf(project))
  const request = updateRequestOf(project, draft)
  const update = useAction(async () => {
    if (!request) return
    const answer = await api.projects.updateProject(request)
    tell(texts.saved)
    onChanged(answer.project)
  })
  return (
    <Card title={texts.projects.edit}>
      <ProjectForm
        draft={draft}
        onChange={setDraft}
        onSubmit={() => void update.run()}
        action={texts.save}
        isPending={update.isPending}
        isUnchanged={!request}
        failure={update.failure}
      >
        {request && (
          <Button
            variant="quiet"
            onClick={() => {
              setDraft(draftOf(project))
              update.clear()
            }}
          >
            {texts.projects.discard}
          </Button>
        )}
      </ProjectForm>
    </Card>
  )
}

function TurnOff({ project, onChanged }: ChangeProps) {
  const { api, tell } = useConsole()
  const mayDelete = useMay(Role.OWNER)
  const [asked, setAsked] = useState<'disable' | 'delete'>()
  const { projects } = texts
  const { id, name } = project
  const enable = useAction(async () => {
    const answer = await api.projects.enableProject({ id })
    tell(projects.enabledNow)
    onChanged(answer.project)
  })
  const disable = useAction(async () => {
    const answer = await api.projects.disableProject({ id })
    tell(projects.disabledNow)
    setAsked(undefined)
    onChanged(answer.project)
  })
  const remove = useAction(async () => {
    await api.projects.deleteProject({ id })
    tell(projects.deleted)
    goTo('projects')
  })
  return (
    <Card title={projects.danger} hint={mayDelete ? projects.dangerHint : undefined} tone="danger">
      <div className="form-buttons">
        {project.enabled ? (
          <Button variant="danger" size="small" onClick={() => setAsked('disable')}>
            {projects.disable}
          </Button>
        ) : (
          <Button size="small" loading={enable.isPending} onClick={() => void enable.run()}>
            {projects.enable}
          </Button>
        )}
        {mayDelete && (
          <Button variant="danger" size="small" disabled={project.enabled} onClick={() => setAsked('delete')}>
            {projects.delete}
          </Button>
        )}
      </div>
      {enable.failure && (
        <p className="notice" data-tone="error" role="alert">
          {enable.failure.text}
        </p>
      )}
      <Confirm
        open={asked === 'disable'}
        title={projects.disableTitle(name)}
        action={projects.disable}
        isPending={disable.isPending}
        failure={disable.failure}
        onConfirm={() => void disable.run()}
        onClose={() => setAsked(undefined)}
      >
        {projects.disableText}
      </Confirm>
      <Confirm
        open={asked === 'delete'}
        title={projects.deleteTitle(name)}
        action={projects.delete}
        typed={{ text: name, label: projects.deleteType }}
        isPending={remove.isPending}
        failure={remove.failure}
        onConfirm={() => void remove.run()}
        onClose={() => setAsked(undefined)}
      >
        {projects.deleteText}
      </Confirm>
    </Card>
  )
}
