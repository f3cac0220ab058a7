import { Button, RetryIcon, Ring, type RingState } from '@hawser/ui'
import type { ReactNode } from 'react'
import { en } from '../locale/en.ts'

export interface WaitingProps {
  /** The mark of who is asked. */
  mark: ReactNode
  shape?: 'square' | 'circle'
  /** `idle`: the visitor declined. */
  state: RingState
  label: string
  text: string
  onRetry: () => void
}

/** Somebody is asked something outside this page: what, whether they declined, and another try. */
export function Waiting({ mark, shape = 'square', state, label, text, onRetry }: WaitingProps) {
  const hasEnded = state === 'error' || state === 'idle'
  return (
    <div className="hw-waiting" data-state={state}>
      <Ring state={state} shape={shape}>
        {mark}
      </Ring>
      <div className="hw-waiting-text" role="status">
        <p className="hw-waiting-label">{label}</p>
        <p className="hw-waiting-detail">{text}</p>
      </div>
      <Button
        icon={<RetryIcon size={18} />}
        data-testid="w3m-connecting-widget-secondary-button"
        className="hw-waiting-retry"
        disabled={!hasEnded}
        aria-hidden={!hasEnded || undefined}
        onClick={onRetry}
      >
        {en.tryAgain}
      </Button>
    </div>
  )
}
