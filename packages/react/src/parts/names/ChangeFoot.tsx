import { type ChangeReadiness, type NameChange, stopChange } from '@hawser/core'
import { AlertIcon, Button } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { enOwnNames } from '../../locale/enOwnNames.ts'

export interface ChangeFootProps {
  change: NameChange
  readiness: ChangeReadiness
  /** What the button does. */
  label: string
  variant?: 'primary' | 'danger'
}

/** The button of a form, which stays in sight; above it why the change was refused. */
export function ChangeFoot({ change, readiness, label, variant = 'primary' }: ChangeFootProps) {
  const hawser = useHawser()
  const { status, failure } = change
  const { signing, saving, stop, declined, free } = enOwnNames.change
  const step = status === 'signing' ? signing : status === 'saving' ? saving : undefined
  return (
    <div className="hw-foot">
      {failure ? (
        <p className="hw-change-failure" data-by={failure.by} role="alert" data-testid="name-change-failure">
          <AlertIcon size={18} />
          <span>{failure.by === 'person' ? declined : failure.reason}</span>
        </p>
      ) : (
        <p className="hw-note">{free}</p>
      )}
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
      {status === 'signing' && (
        <Button
          variant="quiet"
          size="small"
          wide
          data-testid="name-change-stop"
          onClick={() => stopChange(hawser)}
        >
          {stop}
        </Button>
      )}
      <p className="hw-visually-hidden" role="status">
        {step}
      </p>
    </div>
  )
}
