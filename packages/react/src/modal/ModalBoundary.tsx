import { closeModal, errorMessage, type Hawser } from '@hawser/core'
import { AlertIcon, Button, EmptyState } from '@hawser/ui'
import type { ReactNode } from 'react'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { useTexts } from '../locale/useTexts.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'

/** Closes the modal if an error is in its frame; the next visit renders it again. */
export function ModalBoundary({ children }: { children: ReactNode }) {
  const hawser = useHawser()
  const open = useHawserState(hawser.modal, (state) => state.open)
  function onError(error: unknown) {
    report(hawser, error)
    closeModal(hawser)
  }
  return (
    <ErrorBoundary resetKey={String(open)} onError={onError} fallback={() => null}>
      {children}
    </ErrorBoundary>
  )
}

/** Shows that a view threw an error. The header stays, so that the visitor can go back or close the modal. */
export function ViewBoundary({ children }: { children: ReactNode }) {
  const hawser = useHawser()
  const visit = useHawserState(hawser.router, ({ view, history }) => `${view} ${history.length}`)
  return (
    <ErrorBoundary
      resetKey={visit}
      onError={(error) => report(hawser, error)}
      fallback={(retry) => <ViewError onRetry={retry} />}
    >
      {children}
    </ErrorBoundary>
  )
}

function ViewError({ onRetry }: { onRetry: () => void }) {
  const texts = useTexts()
  const hawser = useHawser()
  return (
    <EmptyState
      tone="error"
      icon={<AlertIcon size={26} />}
      title={texts.viewError.title}
      data-testid="view-error"
      action={
        <>
          <Button size="small" onClick={onRetry}>
            {texts.tryAgain}
          </Button>
          <Button size="small" variant="quiet" onClick={() => closeModal(hawser)}>
            {texts.close}
          </Button>
        </>
      }
    >
      {texts.viewError.text}
    </EmptyState>
  )
}

/** Reports an error to the developer by the console and the log, and to the operator by a count without its text. */
function report(hawser: Hawser, error: unknown): void {
  const { view } = hawser.router.getState()
  console.error(`[hawser] The view ${view} failed`, error)
  hawser.log.write('error', 'a view failed', { view, error: errorMessage(error) })
  hawser.events.emit({ event: 'INTERNAL_SDK_ERROR', properties: { view } })
}
