import { type SwapLoss, swapLoss } from '@hawser/core'
import type { ReactNode } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { enSwap } from '../../locale/enSwap.ts'
import { formatPercent } from '../percent.ts'
import { impactTone } from './SwapDetails.tsx'

/** What the swap loses, for display; undefined while that is not known. */
export function useSwapLoss(): SwapLoss | undefined {
  const hawser = useHawser()
  const swap = useHawserState(hawser.swap, (state) => state)
  const chain = useHawserState(hawser.chain, (state) => state)
  return swapLoss(swap, chain)
}

/** True where so much is lost that the visitor must not overlook it. */
export function isSevereLoss(loss: SwapLoss | undefined): loss is SwapLoss {
  return impactTone(loss?.percent) === 'severe'
}

export interface SwapLossBannerProps {
  loss: SwapLoss
  /** Where the visitor agrees to the loss. */
  children?: ReactNode
}

/** Says in red what the swap loses. */
export function SwapLossBanner({ loss: { cause, percent }, children }: SwapLossBannerProps) {
  return (
    <div className="hw-swap-severe" role="status" data-testid="swap-loss-severe">
      <p>{enSwap.loss[cause](formatPercent(percent))}</p>
      {children}
    </div>
  )
}
