import {
  currentQuote,
  isNativeSwapToken,
  pushView,
  requestQuote,
  type SwapReadiness,
  type SwapState,
  switchSwapTokens,
} from '@hawser/core'
import type { Texts } from '@hawser/texts/modal/texts'
import { AlertIcon, Button, ChevronDownIcon, EmptyState, SwapIcon, WalletIcon } from '@hawser/ui'
import type { FormEvent } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useHawser } from '../../hooks/useHawser.ts'

import { useSwapTexts } from '../../locale/useSwapTexts.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { SwapCosts, SwapOrigin, SwapRate, SwapRow } from '../../parts/swap/SwapDetails.tsx'
import { isSevereLoss, SwapLossBanner, useSwapLoss } from '../../parts/swap/SwapLossBanner.tsx'
import { PoolCount, SwapRoute } from '../../parts/swap/SwapRoute.tsx'
import { SwapUnreachable } from '../../parts/swap/SwapUnreachable.tsx'
import { useSwapReadiness, useWatchedSwap } from '../../parts/swap/useSwap.ts'
import { SlippageRow } from './SlippageChoice.tsx'
import { BoughtField, SoldField } from './SwapAmountField.tsx'
import { SwapUnsupported } from './SwapUnsupported.tsx'

/** The swap form. Its button says what is missing. */
export function SwapView() {
  const swapTexts = useSwapTexts()
  const texts = useTexts()
  const hawser = useHawser()
  const swap = useWatchedSwap()
  const { isConnected } = useAccount()
  if (!isConnected) {
    return (
      <EmptyState
        icon={<WalletIcon size={26} />}
        title={swapTexts.disconnected.title}
        action={
          <Button size="small" variant="primary" onClick={() => pushView(hawser, 'Connect')}>
            {texts.connect.title}
          </Button>
        }
        data-testid="swap-disconnected"
      >
        {swapTexts.disconnected.text}
      </EmptyState>
    )
  }
  if (swap.availability === 'unsupported') return <SwapUnsupported />
  if (swap.availability === 'unreachable') return <SwapUnreachable />
  return <SwapForm swap={swap} />
}

function SwapForm({ swap }: { swap: SwapState }) {
  const swapTexts = useSwapTexts()
  const hawser = useHawser()
  const readiness = useSwapReadiness(swap)
  const loss = useSwapLoss()
  const isSevere = isSevereLoss(loss)
  const isPressable = readiness === 'ready' || readiness === 'expired'

  function submit(event: FormEvent) {
    event.preventDefault()
    if (readiness === 'ready') pushView(hawser, 'SwapPreview')
    if (readiness === 'expired') void requestQuote(hawser)
  }
  return (
    <form className="hw-stack hw-swap" onSubmit={submit} noValidate>
      <div className="hw-send-fields">
        <SoldField />
        <button
          type="button"
          className="hw-send-arrow hw-swap-turn"
          aria-label={swapTexts.turn}
          title={swapTexts.turn}
          disabled={!swap.toToken}
          data-testid="swap-switch-button"
          onClick={() => switchSwapTokens(hawser)}
        >
          <SwapIcon size={18} />
        </button>
        <BoughtField />
      </div>
      <SwapFacts swap={swap} />
      <SwapNotice swap={swap} readiness={readiness} />
      {isSevere && <SwapLossBanner loss={loss} />}
      <div className="hw-sticky-end">
        <Button type="submit" variant="primary" wide disabled={!isPressable} data-testid="swap-action-button">
          {isSevere && readiness === 'ready' ? swapTexts.reviewAnyway : swapTexts.labels[readiness]}
        </Button>
      </div>
    </form>
  )
}

/** The rate, and the details of the quote when expanded. Keeps its height while a quote is loading. */
function SwapFacts({ swap }: { swap: SwapState }) {
  const swapTexts = useSwapTexts()
  const quote = currentQuote(swap)
  if (!quote && !(swap.isQuoting && swap.toToken && swap.sourceTokenAmount)) return null
  if (!quote) {
    return (
      <div className="hw-swap-facts">
        <div className="hw-swap-summary">
          <SwapRate />
        </div>
      </div>
    )
  }
  return (
    <details className="hw-swap-facts">
      <summary className="hw-swap-summary" data-testid="swap-details">
        <SwapRate />
        <span className="hw-swap-summary-end">
          <LiveMark swap={swap} />
          <span className="hw-swap-chevron">
            <ChevronDownIcon size={16} />
          </span>
        </span>
      </summary>
      <dl className="hw-details">
        <SwapCosts />
        <SlippageRow />
        <SwapOrigin />
        {quote.route.length > 0 && (
          <SwapRow name={swapTexts.rows.route}>
            <PoolCount route={quote.route} />
          </SwapRow>
        )}
      </dl>
      <SwapRoute />
    </details>
  )
}

/** The block of the quote; pulses with each new block. */
function LiveMark({ swap }: { swap: SwapState }) {
  const swapTexts = useSwapTexts()
  const block = swap.quote?.block
  if (block === undefined) return null
  const title = swap.isLive ? swapTexts.live : undefined
  return (
    <span className="hw-swap-block" data-state={swap.isLive ? 'live' : 'asked'} title={title}>
      <span className="hw-swap-beat" />
      <span className="hw-swap-block-number" data-testid="swap-block">
        {swapTexts.block(block.toString())}
      </span>
    </span>
  )
}

interface SwapNoticeProps {
  swap: SwapState
  readiness: SwapReadiness
}

/** Explains why there is no quote where the button's label does not. */
function SwapNotice({ swap, readiness }: SwapNoticeProps) {
  const swapTexts = useSwapTexts()
  const texts = useTexts()
  const hawser = useHawser()
  const reason = reasonOf(swap, readiness, swapTexts)
  return (
    <div role="status">
      {reason && (
        <div className="hw-swap-notice" data-testid="swap-notice">
          <AlertIcon size={18} />
          <p>{reason}</p>
          {readiness === 'unavailable' && (
            <Button size="small" variant="quiet" onClick={() => void requestQuote(hawser)}>
              {texts.tryAgain}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

function reasonOf({ tokens }: SwapState, readiness: SwapReadiness, texts: Texts['swap']): string | undefined {
  if (readiness === 'insufficientGas') {
    return texts.reasons.insufficientGas(tokens.find(isNativeSwapToken)?.symbol ?? '')
  }
  const { insufficientGas: _, ...reasons } = texts.reasons
  return (reasons as Partial<Record<SwapReadiness, string>>)[readiness]
}
