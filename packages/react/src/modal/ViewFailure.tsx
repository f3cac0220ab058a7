import { AlertIcon, Button, EmptyState } from '@hawser/ui'
import { en } from '../locale/en.ts'

export interface ViewFailureProps {
  onRetry: () => void
  /** Whether it was tried again already, and the site is to be reloaded. */
  wasRetried: boolean
}

/** Stands in for a view whose code did not arrive: the connection broke, or the site has a new release. */
export function ViewFailure({ onRetry, wasRetried }: ViewFailureProps) {
  return (
    <EmptyState
      tone="error"
      icon={<AlertIcon size={26} />}
      title={en.viewFailure.title}
      data-testid="view-failure"
      action={
        <>
          <Button size="small" onClick={onRetry}>
            {en.tryAgain}
          </Button>
          {wasRetried && (
            <Button size="small" variant="primary" onClick={() => location.reload()}>
              {en.viewFailure.reload}
            </Button>
          )}
        </>
      }
    >
      {en.viewFailure.text}
    </EmptyState>
  )
}
