import { AlertIcon, Button, EmptyState } from '@hawser/ui'
import { en } from '../locale/en.ts'

export interface ViewFailureProps {
  onRetry: () => void
  /** Whether a retry failed too, so that the page should be reloaded. */
  wasRetried: boolean
}

/** Shown when the chunk of a view could not be loaded: the browser is offline, or the site was redeployed. */
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
