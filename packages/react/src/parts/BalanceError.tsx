import { BALANCE_RETRY_WINDOW_MS, fetchTokenBalance } from '@hawser/core'
import { AlertIcon, Button, EmptyState } from '@hawser/ui'
import { useEffect, useState } from 'react'
import { useHawser } from '../hooks/useHawser.ts'
import { useTexts } from '../locale/useTexts.ts'
import { OutageText } from './OutageText.tsx'

export interface BalanceErrorProps {
  /** Unix milliseconds of the failure. */
  lastRetry: number
}

/** Shown when balances could not be loaded, with a countdown to the next retry. */
export function BalanceError({ lastRetry }: BalanceErrorProps) {
  const texts = useTexts()
  const hawser = useHawser()
  const seconds = useSecondsUntilRetry(lastRetry)
  return (
    <EmptyState
      tone="error"
      icon={<AlertIcon size={26} />}
      title={texts.account.errorTitle}
      data-testid="token-balance-error"
      action={
        <Button size="small" disabled={seconds > 0} onClick={() => void fetchTokenBalance(hawser)}>
          {seconds > 0 ? texts.account.retryIn(seconds) : texts.tryAgain}
        </Button>
      }
    >
      <OutageText />
    </EmptyState>
  )
}

/** Whole seconds, rounded up, until a failed balance request (at `lastRetry`, Unix ms) may be made again. */
function useSecondsUntilRetry(lastRetry: number): number {
  const { clock } = useHawser()
  const [now, setNow] = useState(() => clock.now())
  const remaining = Math.max(0, lastRetry + BALANCE_RETRY_WINDOW_MS - now)
  useEffect(() => {
    if (remaining === 0) return
    return clock.after(Math.min(1000, remaining), () => setNow(clock.now()))
  }, [clock, remaining])
  return Math.ceil(remaining / 1000)
}
