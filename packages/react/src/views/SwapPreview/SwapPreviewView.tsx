import {
  currentQuote,
  dangersOf,
  formatUnits,
  goBack,
  isNativeSwapToken,
  plainAddress,
  planSwap,
  requestQuote,
  type SwapState,
  type SwapToken,
  shownSwapPreview,
  showToast,
  slippageBps,
  swapPrice,
  swapTokens,
  toastMessage,
  type UnconfirmedBecause,
} from '@hawser/core'
import { AlertIcon, Amount, ArrowDownIcon, ChevronDownIcon, Skeleton, Spinner } from '@hawser/ui'
import { type ReactNode, useEffect } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useCoreTexts, useMessages } from '../../locale/textsOf.ts'
import { useSwapTexts } from '../../locale/useSwapTexts.ts'
import { formatUsd } from '../../parts/fiat.ts'
import { formatPercent } from '../../parts/percent.ts'
import { ReviewFooter, useConsent } from '../../parts/ReviewFooter.tsx'
import { scrollIntoSight } from '../../parts/scrollIntoSight.ts'
import { SigningPreview } from '../../parts/signing/SigningPreview.tsx'
import {
  CONSENT_LOSS,
  impactTone,
  SwapCosts,
  SwapOrigin,
  SwapRate,
  SwapRow,
} from '../../parts/swap/SwapDetails.tsx'
import { isSevereLoss, SwapLossBanner, SwapLossText, useSwapLoss } from '../../parts/swap/SwapLossBanner.tsx'
import { PoolCount, SwapRoute } from '../../parts/swap/SwapRoute.tsx'
import { useSwapReadiness, useWatchedSwap } from '../../parts/swap/useSwap.ts'
import { TokenMark } from '../../parts/TokenMark.tsx'
import { confirmLabel, progressOf } from './confirmLabel.ts'
import { SwapSteps } from './SwapSteps.tsx'

/** The review of a swap, with every digit, before the wallet signs it. */
export function SwapPreviewView() {
  const tag = useLocaleTag()
  const texts = useSwapTexts().preview
  const swapTexts = useSwapTexts()
  const hawser = useHawser()
  const swap = useWatchedSwap()
  const isDropped = !swap.sourceToken || !swap.toToken || swap.sourceTokenAmount === ''
  useEffect(() => {
    // After a swap the quote is gone as well, but then the router shows another view.
    if (isDropped && hawser.router.getState().view === 'SwapPreview') goBack(hawser)
  }, [hawser, isDropped])
  usePlan(swap)

  const { sourceToken, toToken } = swap
  if (!sourceToken || !toToken) return null
  const quote = currentQuote(swap)
  return (
    <div className="hw-stack">
      <div className="hw-send-fields">
        <PreviewToken
          label={swapTexts.sell}
          token={sourceToken}
          amount={swap.sourceTokenAmount}
          data-testid="swap-preview-sourceToken"
        />
        <span className="hw-send-arrow">
          <ArrowDownIcon size={18} />
        </span>
        <PreviewToken
          label={swapTexts.buy}
          token={toToken}
          amount={quote && formatUnits(quote.toAmount, toToken.decimals)}
          data-testid="swap-preview-toToken"
        />
      </div>
      <dl className="hw-details">
        <div className="hw-swap-rate-row">
          <dt className="hw-visually-hidden">{swapTexts.details}</dt>
          <dd>
            <SwapRate />
          </dd>
        </div>
        <SwapCosts />
        <TokenContract token={sourceToken} data-testid="swap-contract-sourceToken" />
        <TokenContract token={toToken} data-testid="swap-contract-toToken" />
      </dl>
      <details className="hw-swap-facts">
        <summary className="hw-swap-summary" data-testid="swap-details">
          {texts.more}
          <span className="hw-swap-summary-end">
            {quote && quote.route.length > 0 && <PoolCount route={quote.route} />}
            <span className="hw-swap-chevron">
              <ChevronDownIcon size={16} />
            </span>
          </span>
        </summary>
        <dl className="hw-details">
          <SwapRow name={swapTexts.rows.slippage}>
            {formatPercent(slippageBps(swap.slippage, quote) / 100, tag)}
          </SwapRow>
          <SwapOrigin />
        </dl>
        <SwapRoute />
      </details>
      <SwapSteps steps={swap.steps} />
      <SigningPreview preview={shownSwapPreview(swap)} />
      <Notices swap={swap} />
      <Confirmation swap={swap} />
    </div>
  )
}

/** Plans the requests to the wallet again whenever the inputs may have changed. */
function usePlan(swap: SwapState) {
  const hawser = useHawser()
  const quote = currentQuote(swap)
  const isPlannable = swap.status === 'draft' && quote !== undefined
  const subject = `${quote?.from} ${quote?.fromAmount} ${quote?.spender} ${quote?.calls}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: the plan depends on the subject
  useEffect(() => {
    if (isPlannable) void planSwap(hawser)
  }, [hawser, isPlannable, subject])
}

/** The whole contract address of a token: symbols are not unique. */
function TokenContract({ token, ...rest }: { token: SwapToken; 'data-testid': string }) {
  const swapTexts = useSwapTexts()
  if (isNativeSwapToken(token)) return null
  return (
    <SwapRow name={swapTexts.rows.contract(token.symbol)} {...rest}>
      <bdi className="hw-mono hw-swap-contract" dir="ltr">
        {plainAddress(token.address)}
      </bdi>
    </SwapRow>
  )
}

interface PreviewTokenProps {
  label: string
  token: SwapToken
  amount: string | undefined
  'data-testid': string
}

function PreviewToken({ label, token, amount, ...rest }: PreviewTokenProps) {
  const tag = useLocaleTag()
  const hawser = useHawser()
  const swap = useHawserState(hawser.swap, (state) => state)
  const price = useHawserState(hawser.chain, (chain) => swapPrice(swap, chain, token))
  const value = price !== undefined && amount ? formatUsd(price * Number(amount), tag) : undefined
  return (
    <div className="hw-preview-row">
      <div className="hw-preview-text">
        <span className="hw-entry-label">{label}</span>
        <span className="hw-preview-main" {...rest}>
          {amount ? (
            <Amount value={amount} symbol={token.symbol} precision="exact" />
          ) : (
            <Skeleton width={140} height={20} />
          )}
        </span>
        {value && (
          <span className="hw-preview-value">
            <bdi>{value}</bdi>
          </span>
        )}
      </div>
      <TokenMark token={token} />
    </div>
  )
}

/** Warnings before confirmation. */
function Notices({ swap }: { swap: SwapState }) {
  const tag = useLocaleTag()
  const texts = useSwapTexts().preview
  const swapTexts = useSwapTexts()
  const message = useMessages()
  const loss = useSwapLoss()
  return (
    <div className="hw-swap-notices" role="status">
      {swap.refusal && (
        <div ref={scrollIntoSight} className="hw-severe" data-testid="swap-refusal">
          <p>{texts.refused(message(swap.refusal))}</p>
        </div>
      )}
      {swap.hasPriceMoved && <Notice data-testid="swap-price-moved">{texts.priceMoved}</Notice>}
      {loss && impactTone(loss.percent) === 'high' && (
        <Notice data-testid={`swap-loss-${loss.cause}`}>
          {swapTexts.loss[loss.cause](formatPercent(loss.percent, tag))}
        </Notice>
      )}
    </div>
  )
}

function Notice({ children, ...rest }: { children: ReactNode; 'data-testid'?: string }) {
  return (
    <div className="hw-swap-notice" {...rest}>
      <AlertIcon size={18} />
      <p>{children}</p>
    </div>
  )
}

/** Returns why the transaction could not be simulated; undefined when it was. */
function unconfirmedOf(swap: SwapState): UnconfirmedBecause | undefined {
  return swap.unconfirmedBecause ?? currentQuote(swap)?.unconfirmedBecause
}

/** Returns the reason in the language that is shown; the gateway's text if its cause is not known. */
function causeText(
  { text, cause, detail }: UnconfirmedBecause,
  { unconfirmedCauses }: ReturnType<typeof useSwapTexts>['preview'],
): string {
  if (!cause) return text
  return detail ? `${unconfirmedCauses[cause]} (\u2068${detail}\u2069)` : unconfirmedCauses[cause]
}

/** Says what to do next when there is no list of steps. */
function Caution({ progress }: { progress: string | undefined }) {
  const texts = useSwapTexts().preview
  return (
    <p className="hw-note hw-caution" role="status" data-testid="swap-caution">
      {progress ? <Spinner size={18} /> : <AlertIcon size={18} />}
      {progress ?? texts.note}
    </p>
  )
}

/** Percent: a tick that accepts a loss is taken back when the loss reaches the next step. */
const CONSENT_STEP = 5

/** The confirm button. A swap with a large loss or another danger, or one that could not be simulated, needs a tick first. */
function Confirmation({ swap }: { swap: SwapState }) {
  const texts = useSwapTexts().preview
  const coreTexts = useCoreTexts()
  const swapTexts = useSwapTexts()
  const hawser = useHawser()
  const readiness = useSwapReadiness(swap)
  const loss = useSwapLoss()
  const unconfirmed = unconfirmedOf(swap)
  const isUnconfirmed = unconfirmed !== undefined
  const needsConsent = loss !== undefined && loss.percent >= CONSENT_LOSS
  const previewed = dangersOf(shownSwapPreview(swap))
  const dangers = [
    needsConsent && `loss ${Math.floor(loss.percent / CONSENT_STEP)}`,
    isUnconfirmed && 'unconfirmed',
    ...previewed,
  ]
    .filter(Boolean)
    .join('\n')
  const consent = useConsent(dangers || undefined)
  const isWorking = swap.status === 'working'
  const isPreviewing = readiness === 'ready' && swap.preview === 'loading'
  const isReady = readiness === 'ready' && consent.isGiven && !isPreviewing

  function confirm() {
    if (readiness === 'expired') void requestQuote(hawser)
    else
      swapTokens(hawser, {
        acceptsUnconfirmed: isUnconfirmed && consent.isGiven,
        acceptedDangers: consent.isGiven ? previewed : [],
      }).catch(() => showToast(hawser, { ...toastMessage('transactionFailed'), variant: 'error' }))
  }
  return (
    <>
      {isSevereLoss(loss) && !needsConsent && <SwapLossBanner loss={loss} />}
      <Caution progress={progressOf(swap, swapTexts, coreTexts)} />
      <ReviewFooter
        danger={
          dangers
            ? {
                label: swapTexts.impact.accept,
                consent,
                testId: consentTestId(isUnconfirmed, needsConsent),
                children: (
                  <>
                    {needsConsent && <SwapLossText loss={loss} />}
                    {isUnconfirmed && (
                      <p data-testid="swap-unconfirmed">{texts.unconfirmed(causeText(unconfirmed, texts))}</p>
                    )}
                  </>
                ),
              }
            : undefined
        }
        cancel={{ label: texts.cancel, testId: 'swap-cancel-button', run: () => goBack(hawser) }}
        confirm={{
          label:
            dangers && readiness === 'ready' && !isWorking
              ? swapTexts.impact.anyway
              : confirmLabel(swap, readiness, swapTexts),
          testId: 'swap-confirm-button',
          isBusy: isWorking || readiness === 'quoting' || isPreviewing,
          isDisabled: !isWorking && !isReady && readiness !== 'expired' && readiness !== 'quoting',
          run: confirm,
        }}
      />
    </>
  )
}

function consentTestId(isUnconfirmed: boolean, isLoss: boolean): string {
  if (isUnconfirmed) return 'swap-unconfirmed-accept'
  return isLoss ? 'swap-impact-accept' : 'swap-danger-accept'
}
