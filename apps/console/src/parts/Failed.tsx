import { AlertIcon, Button, EmptyState } from '@hawser/ui'
import type { Failure } from '../api/failure.ts'
import { texts } from '../texts.ts'

export interface FailedProps {
  failure: Failure
  onRetry: () => void
}

/** Shown instead of what could not be read. */
export function Failed({ failure, onRetry }: FailedProps) {
  return (
    <div role="alert">
      <EmptyState
        tone="error"
        icon={<AlertIcon size={26} />}
        title={texts.failures.title}
        action={
          <Button size="small" onClick={onRetry}>
            {texts.retry}
          </Button>
        }
      >
        {failure.text}
      </EmptyState>
    </div>
  )
}

/** A failure of an action, beside its button. */
export function Problem({ failure }: { failure: Failure | undefined }) {
  return (
    <div role="alert" className="problem-area">
      {failure && (
        <p className="notice" data-tone="error">
          {failure.text}
        </p>
      )}
    </div>
  )
}
