import { type ChangeReadiness, type NameChange, stopChange } from '@hawser/core'
import { AlertIcon, Button } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useMessages } from '../../locale/textsOf.ts'
import { useOwnNamesTexts } from '../../locale/useOwnNamesTexts.ts'
import { StatementPreview } from '../signing/StatementPreview.tsx'

export interface ChangeFootProps {
  change: NameChange
  readiness: ChangeReadiness
  /** What the button does. */
  label: string
  variant?: 'primary' | 'danger'
}

/** The button of a form, which stays visible, and above it why the change was refused. */
export function ChangeFoot({ change, readiness, label, variant = 'primary' }: ChangeFootProps) {
  const texts = useOwnNamesTexts()
  const { status } = change
  const { signing, saving } = texts.change
  const step = status === 'signing' ? signing : status === 'saving' ? saving : undefined
  return (
    <>
      {status === 'signing' && <StatementPreview signing={change.signing} />}
      <div className="hw-foot">
        <Beside change={change} />
        <Button
          type="submit"
          variant={variant}
          wide
          loading={step !== undefined}
          disabled={readiness !== 'ready'}
          data-testid="name-change-button"
        >
          {step ?? label}
        </Button>
        <p className="hw-visually-hidden" role="status">
          {step}
        </p>
      </div>
    </>
  )
}

/**
 * The content above the button, which does not move: a second press must not hit another control and abandon
 * the first.
 */
function Beside({ change: { status, failure } }: { change: NameChange }) {
  const message = useMessages()
  const texts = useOwnNamesTexts()
  const hawser = useHawser()
  const { stop, declined, free } = texts.change
  if (status === 'signing') {
    return (
      <Button
        variant="quiet"
        size="small"
        wide
        data-testid="name-change-stop"
        onClick={() => stopChange(hawser)}
      >
        {stop}
      </Button>
    )
  }
  if (!failure) return <p className="hw-note">{free}</p>
  return (
    <p className="hw-change-failure" data-by={failure.by} role="alert" data-testid="name-change-failure">
      <AlertIcon size={18} />
      <span>{failure.by === 'person' ? declined : message(failure)}</span>
    </p>
  )
}
