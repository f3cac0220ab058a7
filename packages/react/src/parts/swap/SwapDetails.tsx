import {
  currentQuote,
  formatUnits,
  isNativeSwapToken,
  minimumReceived,
  type SwapQuote,
  slippageBps,
  swapPrice,
  swapRate,
  worth,
} from '@hawser/core'
import type { Texts } from '@hawser/texts/modal/texts'
import { textFor } from '@hawser/texts/translated'
import { Amount, Skeleton, shortDecimal, Tooltip } from '@hawser/ui'
import type { ReactNode } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useSwapTexts } from '../../locale/useSwapTexts.ts'
import { formatUsd } from '../fiat.ts'
import { formatFinePercent, formatPercent } from '../percent.ts'

export interface SwapRowProps {
  name: string
  /** The tooltip that explains the name. */
  hint?: string
  children: ReactNode
  'data-testid'?: string
}

/** One line of the details. */
export function SwapRow({ name, hint, children, ...rest }: SwapRowProps) {
  return (
    <div {...rest}>
      <dt>
        {hint ? (
          <Tooltip text={hint}>
            <button type="button" className="hw-hint">
              {name}
            </button>
          </Tooltip>
        ) : (
          name
        )}
      </dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Renders the rate: "1 ETH = 2,000 tUSD". */
export function SwapRate() {
  const texts = useSwapTexts()
  const hawser = useHawser()
  const swap = useHawserState(hawser.swap, (state) => state)
  const { sourceToken, toToken } = swap
  const quote = currentQuote(swap)
  if (!sourceToken || !toToken) return null
  const rate = quote && swapRate(quote, sourceToken, toToken)
  if (!rate) return <Skeleton width={168} height={16} />
  return (
    <bdi className="hw-swap-rate" dir="ltr" data-testid="swap-rate">
      {texts.rate(sourceToken.symbol)} <Amount value={rate} symbol={toToken.symbol} />
    </bdi>
  )
}

/** The main details of a quote; skeletons while there is none. */
export function SwapCosts() {
  const tag = useLocaleTag()
  const { rows, hints } = useSwapTexts()
  const hawser = useHawser()
  const swap = useHawserState(hawser.swap, (state) => state)
  const { toToken } = swap
  const quote = currentQuote(swap)
  if (!toToken) return null
  const minimum =
    quote && formatUnits(minimumReceived(quote, slippageBps(swap.slippage, quote)), toToken.decimals)
  return (
    <>
      {(!quote || quote.priceImpact !== undefined) && (
        <SwapRow name={rows.priceImpact} hint={hints.priceImpact} data-testid="swap-price-impact">
          {quote ? <PriceImpact percent={quote.priceImpact ?? 0} /> : <Skeleton width={48} height={16} />}
        </SwapRow>
      )}
      <SwapRow
        name={rows.minimum}
        {...(minimum && { hint: hints.slippage(`${shortDecimal(minimum, tag)} ${toToken.symbol}`) })}
        data-testid="swap-minimum"
      >
        {minimum ? <Amount value={minimum} symbol={toToken.symbol} /> : <Skeleton width={96} height={16} />}
      </SwapRow>
      <SwapRow name={rows.networkFee} data-testid="swap-network-fee">
        {quote ? <NetworkFee quote={quote} /> : <Skeleton width={88} height={16} />}
      </SwapRow>
    </>
  )
}

/** The source of the quote, its fee, and how far it can be from the optimum. */
export function SwapOrigin() {
  const { rows } = useSwapTexts()
  const texts = useSwapTexts()
  const hawser = useHawser()
  const swap = useHawserState(hawser.swap, (state) => state)
  const quote = currentQuote(swap)
  const { toToken } = swap
  if (!quote || !toToken) return null
  return (
    <>
      <SwapRow name={rows.providerFee} data-testid="swap-provider-fee">
        {quote.providerFee === 0n ? (
          texts.noFee
        ) : (
          <Amount value={formatUnits(quote.providerFee, toToken.decimals)} symbol={toToken.symbol} />
        )}
      </SwapRow>
      <SwapBounds {...quote} />
      <SwapRow name={rows.source} data-testid="swap-source">
        {nameOf(quote.source, texts)}
      </SwapRow>
      {quote.offers.map(({ source, toAmount, reason }) => (
        <SwapRow key={source} name={rows.offer(nameOf(source, texts))} data-testid={`swap-offer-${source}`}>
          {toAmount ? (
            <Amount value={formatUnits(BigInt(toAmount), toToken.decimals)} symbol={toToken.symbol} />
          ) : (
            reason
          )}
        </SwapRow>
      ))}
    </>
  )
}

/** How much more several exchanges must pay than one before it is mentioned, in basis points. */
const WORTH_SEVERAL_EXCHANGES_BPS = 50

/** One hundred percent in basis points. */
const ALL_BPS = 10_000

/** The gap between the quote and the best price of its exchange, and of several exchanges combined. */
function SwapBounds({ boundBps, routerBoundBps = boundBps }: SwapQuote) {
  const tag = useLocaleTag()
  const { rows, hints } = useSwapTexts()
  const texts = useSwapTexts()
  if (boundBps === undefined || routerBoundBps === undefined) return null
  return (
    <>
      <SwapRow name={rows.bound} hint={hints.bound} data-testid="swap-bound">
        {texts.bound(formatFinePercent(routerBoundBps / 100, tag))}
      </SwapRow>
      {boundBps - routerBoundBps >= WORTH_SEVERAL_EXCHANGES_BPS && (
        <SwapRow name={rows.manyExchanges} hint={hints.manyExchanges} data-testid="swap-several-exchanges">
          {texts.manyExchanges(formatFinePercent((100 * boundBps) / (ALL_BPS - boundBps), tag))}
        </SwapRow>
      )}
    </>
  )
}

function nameOf(source: string, texts: Texts['swap']): string {
  return textFor(texts.sources, source) ?? source
}

/**
 * Limits of a loss in percent: from the first it is a warning, above the second an error, and from the third
 * it must be confirmed.
 */
const HIGH_LOSS = 3
const SEVERE_LOSS = 5
export const CONSENT_LOSS = 10

export function impactTone(percent: number | undefined): 'normal' | 'high' | 'severe' {
  if (percent === undefined || percent < HIGH_LOSS) return 'normal'
  return percent <= SEVERE_LOSS ? 'high' : 'severe'
}

function PriceImpact({ percent }: { percent: number }) {
  const tag = useLocaleTag()
  return (
    <bdi className="hw-swap-impact" dir="ltr" data-tone={impactTone(percent)}>
      {formatPercent(percent, tag)}
    </bdi>
  )
}

/** The network fee in the native currency. */
function NetworkFee({ quote }: { quote: SwapQuote }) {
  const tag = useLocaleTag()
  const texts = useSwapTexts()
  const hawser = useHawser()
  const swap = useHawserState(hawser.swap, (state) => state)
  const chain = useHawserState(hawser.chain, (state) => state)
  const native = swap.tokens.find(isNativeSwapToken)
  if (quote.networkFee === undefined || !native) return texts.unknown
  const usd = formatUsd(worth(quote.networkFee, native.decimals, swapPrice(swap, chain, native)), tag)
  return (
    <>
      {usd && (
        <span className="hw-swap-faint">
          <bdi>{usd}</bdi> ·{' '}
        </span>
      )}
      <Amount value={formatUnits(quote.networkFee, native.decimals)} symbol={native.symbol} />
    </>
  )
}
