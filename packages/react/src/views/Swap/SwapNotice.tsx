import { isNativeSwapToken, requestQuote, type SwapReadiness, type SwapState } from '@hawser/core'
import { AlertIcon, Button } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { en } from '../../locale/en.ts'
import { enSwap } from '../../locale/enSwap.ts'

export interface SwapNoticeProps {
  swap: SwapState
  readiness: SwapReadiness
}

/** Explains why there is no quote where the button's label does not. */
export function SwapNotice({ swap, readiness }: SwapNoticeProps) {
  const hawser = useHawser()
  const reason = reasonOf(swap, readiness)
  return (
    <div role="status">
      {reason && (
        <div className="hw-swap-notice" data-testid="swap-notice">
          <AlertIcon size={18} />
          <p>{reason}</p>
          {readiness === 'unavailable' && (
            <Button size="small" variant="quiet" onClick={() => void requestQuote(hawser)}>
              {en.tryAgain}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

function reasonOf({ tokens }: SwapState, readiness: SwapReadiness): string | undefined {
  if (readiness === 'insufficientGas') {
    return enSwap.reasons.insufficientGas(tokens.find(isNativeSwapToken)?.symbol ?? '')
  }
  const { insufficientGas: _, ...reasons } = enSwap.reasons
  return (reasons as Partial<Record<SwapReadiness, string>>)[readiness]
}
