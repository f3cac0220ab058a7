import { startSwap } from '@hawser/core'
import { AlertIcon, Button, EmptyState } from '@hawser/ui'
import { useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { en } from '../../locale/en.ts'
import { enSwap } from '../../locale/enSwap.ts'

export interface SwapUnreachableProps {
  /** Retries; restarts the swap by default. */
  onRetry?: () => Promise<void>
}

/** Shown in place of a swap view while the gateway cannot be reached. */
export function SwapUnreachable({ onRetry }: SwapUnreachableProps) {
  const hawser = useHawser()
  const [isAsking, setAsking] = useState(false)

  async function retry() {
    setAsking(true)
    await (onRetry?.() ?? startSwap(hawser, hawser.router.getState().data?.swap ?? {}))
    setAsking(false)
  }
  return (
    <EmptyState
      tone="error"
      icon={<AlertIcon size={26} />}
      title={enSwap.unreachable.title}
      action={
        <Button size="small" loading={isAsking} onClick={() => void retry()}>
          {en.tryAgain}
        </Button>
      }
      data-testid="swap-unreachable"
    >
      {enSwap.unreachable.text}
    </EmptyState>
  )
}
