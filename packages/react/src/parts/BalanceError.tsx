import { fetchTokenBalance } from '@hawser/core'
import { AlertIcon, Button, EmptyState } from '@hawser/ui'
import { useHawser } from '../hooks/useHawser.ts'
import { en } from '../locale/en.ts'
import { useSecondsUntilRetry } from './useSecondsUntilRetry.ts'

export interface BalanceErrorProps {
  /** Unix milliseconds of the failure. */
  lastRetry: number
}

/** Shown when balances could not be loaded, with a countdown to the next retry. */
export function BalanceError({ lastRetry }: BalanceErrorProps) {
  const hawser = useHawser()
  const seconds = useSecondsUntilRetry(lastRetry)
  return (
    <EmptyState
      tone="error"
      icon={<AlertIcon size={26} />}
      title={en.account.errorTitle}
      data-testid="token-balance-error"
      action={
        <Button size="small" disabled={seconds > 0} onClick={() => void fetchTokenBalance(hawser)}>
          {seconds > 0 ? en.account.retryIn(seconds) : en.tryAgain}
        </Button>
      }
    >
      {en.account.errorText}
    </EmptyState>
  )
}
