import { Button, RetryIcon, Ring, type RingState } from '@hawser/ui'
import type { ReactNode } from 'react'
import { en } from '../locale/en.ts'
import { useHasPassed } from './useHasPassed.ts'

/** After this long without an answer the visitor is told what may help. */
const HELP_AFTER_MS = 5_000

export interface WaitingProps {
  /** The mark of who is asked. */
  mark: ReactNode
  shape?: 'square' | 'circle'
  /** `idle`: the visitor declined. */
  state: RingState
  label: string
  text: string
  /** What may help when no answer comes: where the request is to be found. */
  help?: string
  onRetry: () => void
}

/** Somebody is asked something outside this page: what, what helps after five seconds, whether they declined, and another try. */
export function Waiting({ mark, shape = 'square', state, label, text, help, onRetry }: WaitingProps) {
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
      {hasEnded && (
        <Button
          icon={<RetryIcon size={18} />}
          data-testid="w3m-connecting-widget-secondary-button"
          onClick={onRetry}
        >
          {en.tryAgain}
        </Button>
      )}
    </div>
  )
}
