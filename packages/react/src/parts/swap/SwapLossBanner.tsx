import { type SwapLoss, swapLoss } from '@hawser/core'
import type { ReactNode } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useSwapTexts } from '../../locale/enSwap.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { formatPercent } from '../percent.ts'
import { impactTone } from './SwapDetails.tsx'

/** Returns the loss of the swap, formatted; undefined while it is unknown. */
export function useSwapLoss(): SwapLoss | undefined {
  const hawser = useHawser()
  const swap = useHawserState(hawser.swap, (state) => state)
  const chain = useHawserState(hawser.chain, (state) => state)
  return swapLoss(swap, chain)
}

/** True when the loss is so large that it must be confirmed. */
export function isSevereLoss(loss: SwapLoss | undefined): loss is SwapLoss {
  return impactTone(loss?.percent) === 'severe'
}

export interface SwapLossBannerProps {
  loss: SwapLoss
  /** The checkbox that confirms the loss. */
  children?: ReactNode
}

/** A red banner with the loss of the swap. */
export function SwapLossBanner({ loss: { cause, percent }, children }: SwapLossBannerProps) {
  const tag = useLocaleTag()
  const texts = useSwapTexts()
  return (
    <div className="hw-swap-severe" role="status" data-testid="swap-loss-severe">
      <p>{texts.loss[cause](formatPercent(percent, tag))}</p>
      {children}
    </div>
  )
}
