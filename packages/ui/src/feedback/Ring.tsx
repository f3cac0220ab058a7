import type { ReactNode } from 'react'
import { CheckIcon, CloseIcon } from '../icons/icons.tsx'

/** The ring spins, stands still, or is green or red. */
export type RingState = 'active' | 'idle' | 'success' | 'error'

export interface RingProps {
  state: RingState
  shape?: 'square' | 'circle'
  /** The logo of the wallet or network that is waited for. */
  children: ReactNode
}

/** A progress ring around the logo of a wallet or network. */
export function Ring({ state, shape = 'square', children }: RingProps) {
  const corner = shape === 'circle' ? 50 : 29
  return (
    <div className="hw-ring" data-state={state} data-shape={shape}>
      <svg className="hw-ring-track" viewBox="0 0 104 104" fill="none" aria-hidden="true">
        <rect className="hw-ring-rail" x="2" y="2" width="100" height="100" rx={corner} />
        <rect className="hw-ring-runner" x="2" y="2" width="100" height="100" rx={corner} pathLength="100" />
      </svg>
      {children}
      {state === 'error' && (
        <span className="hw-ring-mark">
          <CloseIcon size={16} />
        </span>
      )}
      {state === 'success' && (
        <span className="hw-ring-mark">
          <CheckIcon size={16} />
        </span>
      )}
    </div>
  )
}
