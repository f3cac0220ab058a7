import { Button, Checkbox } from '@hawser/ui'
import { type ReactNode, useState } from 'react'

/** Whether the visitor accepted what is dangerous about a request. */
export interface Consent {
  isGiven: boolean
  set: (isGiven: boolean) => void
}

/**
 * Returns the consent to a danger, which another danger takes back.
 *
 * @param danger what the visitor must accept; undefined where nothing is dangerous.
 */
export function useConsent(danger: string | undefined): Consent {
  const [accepted, setAccepted] = useState<string>()
  return {
    isGiven: danger === undefined || accepted === danger,
    set: (isGiven) => setAccepted(isGiven ? danger : undefined),
  }
}

export interface ReviewFooterProps {
  /** Undefined where nothing is dangerous. */
  danger: { label: string; consent: Consent; testId: string; children?: ReactNode } | undefined
  cancel: { label: string; testId: string; run: () => void }
  confirm: { label: string; testId: string; isBusy: boolean; isDisabled: boolean; run: () => void }
}

/**
 * The buttons of a review, in sight however long it is. A dangerous request is left by the first button, and confirmed
 * by a red one after a tick.
 */
export function ReviewFooter({ danger, cancel, confirm }: ReviewFooterProps) {
  return (
    <div className="hw-sticky-end hw-review-foot">
      {danger && (
        <div className="hw-severe">
          {danger.children}
          <Checkbox
            checked={danger.consent.isGiven}
            data-testid={danger.testId}
            onChange={danger.consent.set}
          >
            {danger.label}
          </Checkbox>
        </div>
      )}
      <div className="hw-pair">
        <Button variant={danger ? 'primary' : 'neutral'} data-testid={cancel.testId} onClick={cancel.run}>
          {cancel.label}
        </Button>
        <Button
          variant={danger ? 'danger' : 'primary'}
          loading={confirm.isBusy}
          disabled={confirm.isDisabled}
          data-testid={confirm.testId}
          onClick={confirm.run}
        >
          {confirm.label}
        </Button>
      </div>
    </div>
  )
}
