import { type SwapLoss, swapLoss } from '@hawser/core'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useSwapTexts } from '../../locale/useSwapTexts.ts'
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

/** A red banner with the loss of the swap. */
export function SwapLossBanner({ loss }: { loss: SwapLoss }) {
  return (
    <div className="hw-severe">
      <SwapLossText loss={loss} />
    </div>
  )
}

/** Says how large the loss of the swap is. */
export function SwapLossText({ loss: { cause, percent } }: { loss: SwapLoss }) {
  const tag = useLocaleTag()
  const texts = useSwapTexts()
  return (
    <p role="status" data-testid="swap-loss-severe">
      {texts.loss[cause](formatPercent(percent, tag))}
    </p>
  )
}
