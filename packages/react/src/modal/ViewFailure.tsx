import { AlertIcon, Button, EmptyState } from '@hawser/ui'
import { useTexts } from '../locale/useTexts.ts'

export interface ViewFailureProps {
  onRetry: () => void
  /** Whether a retry failed too, so that the page should be reloaded. */
  wasRetried: boolean
}

/** Shown when the chunk of a view could not be loaded: the browser is offline, or the site was redeployed. */
export function ViewFailure({ onRetry, wasRetried }: ViewFailureProps) {
  const texts = useTexts()
  return (
    <EmptyState
      tone="error"
      icon={<AlertIcon size={26} />}
      title={texts.viewFailure.title}
      data-testid="view-failure"
      action={
        <>
          <Button size="small" onClick={onRetry}>
            {texts.tryAgain}
          </Button>
          {wasRetried && (
            <Button size="small" variant="primary" onClick={() => location.reload()}>
              {texts.viewFailure.reload}
            </Button>
          )}
        </>
      }
    >
      {texts.viewFailure.text}
    </EmptyState>
  )
}
