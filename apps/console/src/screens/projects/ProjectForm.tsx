import { Button, Checkbox, TextField } from '@hawser/ui'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { Failure } from '../../api/failure.ts'
import { Problem } from '../../parts/Failed.tsx'
import { TextArea } from '../../parts/fields.tsx'
import { texts } from '../../texts.ts'
import { type DraftProblems, type ProjectDraft, problemsOf } from './draft.ts'

export interface ProjectFormProps {
  draft: ProjectDraft
  onChange: (draft: ProjectDraft) => void
  onSubmit: () => void
  action: string
  isPending: boolean
  /** Whether there is nothing to send. */
  isUnchanged?: boolean
  failure: Failure | undefined
  /** Beside the button. */
  children?: ReactNode
}

/** The fields of a project. Problems are shown once it was submitted, and then while it is edited. */
export function ProjectForm(props: ProjectFormProps) {
  const { draft, onChange, onSubmit, action, isPending, isUnchanged = false, failure } = props
  const { projects } = texts
  const [isChecked, setChecked] = useState(false)
  const problems: DraftProblems = isChecked ? problemsOf(draft) : {}
  const refused = failure?.fields ?? {}
  const set = (change: Partial<ProjectDraft>) => onChange({ ...draft, ...change })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    setChecked(true)
    const wrong = Object.keys(problemsOf(draft))[0]
    if (wrong) event.currentTarget.querySelector<HTMLElement>(`[name="${wrong}"]`)?.focus()
    else if (!isPending) onSubmit()
  }

  return (
    <form className="form" onSubmit={submit} noValidate>
      <div>
        <TextField
          label={projects.name}
          labelStyle="above"
          name="name"
          maxLength={200}
          value={draft.name}
          error={problems.name ?? refused.name}
          onChange={(event) => set({ name: event.target.value })}
        />
        <p className="field-hint">{projects.nameHint}</p>
      </div>
      {!draft.anyOrigin && (
        <TextArea
          label={projects.origins}
          name="origins"
          inputMode="url"
          hint={projects.originsHint}
          value={draft.origins}
          error={problems.origins ?? refused.origins ?? refused['origins.patterns']}
          onChange={(event) => set({ origins: event.target.value })}
        />
      )}
      <div>
        <Checkbox checked={draft.anyOrigin} onChange={(anyOrigin) => set({ anyOrigin })}>
          {projects.anyOrigin}
        </Checkbox>
        {draft.anyOrigin && (
          <p className="notice" data-tone="warning">
            {projects.anyOriginWarning}
          </p>
        )}
      </div>
      <div className="field-row">
        <div>
          <TextField
            label={projects.rate}
            labelStyle="above"
            name="rate"
            inputMode="decimal"
            value={draft.rate}
            error={problems.rate ?? refused['rate.requests_per_second'] ?? refused.rate}
            onChange={(event) => set({ rate: event.target.value })}
          />
          <p className="field-hint">{projects.rateHint}</p>
        </div>
        <div>
          <TextField
            label={projects.burst}
            labelStyle="above"
            name="burst"
            inputMode="numeric"
            value={draft.burst}
            error={problems.burst ?? refused['rate.burst']}
            onChange={(event) => set({ burst: event.target.value })}
          />
          <p className="field-hint">{projects.burstHint}</p>
        </div>
      </div>
      <Problem failure={failure} />
      <div className="form-buttons">
        <Button type="submit" variant="primary" loading={isPending} disabled={isUnchanged}>
          {action}
        </Button>
        {props.children}
      </div>
    </form>
  )
}
