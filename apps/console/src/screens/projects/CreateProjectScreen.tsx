import { useState } from 'react'
import { useConsole } from '../../api/ApiContext.ts'
import { useAction } from '../../api/useAction.ts'
import { Card } from '../../parts/Card.tsx'
import { Page } from '../../parts/Page.tsx'
import { goTo, hrefOf } from '../../shell/route.ts'
import { texts } from '../../texts.ts'
import { createRequestOf, emptyDraft } from './draft.ts'
import { ProjectForm } from './ProjectForm.tsx'

/** Creates a project, and goes to it. */
export function CreateProjectScreen() {
  const { api, tell } = useConsole()
  const [draft, setDraft] = useState(emptyDraft)
  const create = useAction(async () => {
    const { project } = await api.projects.createProject(createRequestOf(draft))
    tell(texts.projects.created)
    if (project) goTo('projects', project.id)
  })
  return (
    <Page
      title={texts.projects.createTitle}
      lead={texts.projects.createLead}
      back={{ label: texts.screens.projects, href: hrefOf('projects') }}
    >
      <Card title={texts.projects.edit} hideTitle>
        <ProjectForm
          draft={draft}
          onChange={setDraft}
          onSubmit={() => void create.run()}
          action={texts.projects.createAction}
          isPending={create.isPending}
          failure={create.failure}
        />
      </Card>
    </Page>
  )
}
