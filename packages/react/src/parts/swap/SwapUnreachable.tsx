import { startSwap } from '@hawser/core'
import { AlertIcon, Button, EmptyState } from '@hawser/ui'
import { useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useSwapTexts } from '../../locale/useSwapTexts.ts'
import { useTexts } from '../../locale/useTexts.ts'

export interface SwapUnreachableProps {
  /** Retries; restarts the swap by default. */
  onRetry?: () => Promise<void>
}

/** Shown in place of a swap view while the gateway cannot be reached. */
export function SwapUnreachable({ onRetry }: SwapUnreachableProps) {
  const swapTexts = useSwapTexts()
  const texts = useTexts()
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
      title={swapTexts.unreachable.title}
      action={
        <Button size="small" loading={isAsking} onClick={() => void retry()}>
          {texts.tryAgain}
        </Button>
      }
      data-testid="swap-unreachable"
    >
      {swapTexts.unreachable.text}
    </EmptyState>
  )
}
