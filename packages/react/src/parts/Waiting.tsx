import { Button, RetryIcon, Ring, type RingState } from '@hawser/ui'
import { type ReactNode, useEffect, useState } from 'react'
import { useHawser } from '../hooks/useHawser.ts'
import { useTexts } from '../locale/useTexts.ts'

/** After this long without an answer a hint is shown, in milliseconds. */
const HELP_AFTER_MS = 5_000

export interface WaitingProps {
  /** The logo of the wallet or seller that is waited for. */
  mark: ReactNode
  shape?: 'square' | 'circle'
  /** `idle`: the visitor declined. */
  state: RingState
  label: string
  text: string
  /** A hint where the request can be found, shown when no answer comes. */
  help?: string
  /** Shown while the request is pending. */
  action?: ReactNode
  /** Offered once the request has failed; absent where `action` is a retry. */
  onRetry?: () => void
  /** Offered below the retry: a way on without this request. */
  other?: { label: string; onSelect: () => void }
}

/** The state of a request to a wallet or a checkout window: what is pending, a hint after five seconds, its failure and a retry. */
export function Waiting({
  mark,
  shape = 'square',
  state,
  label,
  text,
  help,
  action,
  onRetry,
  other,
}: WaitingProps) {
  const texts = useTexts()
  const hasEnded = state === 'error' || state === 'idle'
  const isLong = useHasPassed(HELP_AFTER_MS, state === 'active')
  return (
    <div className="hw-waiting" data-state={state}>
      <Ring state={state} shape={shape}>
        {mark}
      </Ring>
      <div className="hw-waiting-text" role="status">
        <p className="hw-waiting-label">{label}</p>
        <p className="hw-waiting-detail">{text}</p>
        {isLong && help && (
          <p className="hw-waiting-help" data-testid="waiting-help">
            {help}
          </p>
        )}
      </div>
      {action}
      {hasEnded && onRetry && (
        <Button
          icon={<RetryIcon size={18} />}
          data-testid="w3m-connecting-widget-secondary-button"
          onClick={onRetry}
        >
          {texts.tryAgain}
        </Button>
      )}
      {hasEnded && other && (
        <Button variant="quiet" data-testid="waiting-other" onClick={other.onSelect}>
          {other.label}
        </Button>
      )}
    </div>
  )
}

/** Reports whether this many milliseconds have passed since `isRunning` became true. */
function useHasPassed(ms: number, isRunning: boolean): boolean {
  const { clock } = useHawser()
  const [hasPassed, setHasPassed] = useState(false)
  useEffect(() => {
    setHasPassed(false)
    if (isRunning) return clock.after(ms, () => setHasPassed(true))
  }, [clock, ms, isRunning])
  return isRunning && hasPassed
}
