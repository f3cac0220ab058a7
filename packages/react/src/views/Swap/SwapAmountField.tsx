import {
  fillMaxSwapAmount,
  formatUnits,
  isNativeSwapToken,
  openOnramp,
  pushView,
  type SwapSide,
  type SwapToken,
  selectAccount,
  setSwapAmount,
  sourceAmount,
  swapBalance,
  swapPrice,
  toTokenAmount,
} from '@hawser/core'
import { Amount, ChevronDownIcon, exactDecimal, Skeleton } from '@hawser/ui'
import { useId, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useSwapTexts } from '../../locale/useSwapTexts.ts'
import { AmountNote } from '../../parts/amount/AmountNote.tsx'
import { useTypedAmount } from '../../parts/amount/useTypedAmount.ts'
import { formatUsd } from '../../parts/fiat.ts'
import { useOnrampOffered } from '../../parts/onramp/useOnrampOffered.ts'
import { formatPercent } from '../../parts/percent.ts'
import { impactTone } from '../../parts/swap/SwapDetails.tsx'
import { useSwapLoss } from '../../parts/swap/SwapLossBanner.tsx'
import { TokenMark } from '../../parts/TokenMark.tsx'

/** The token that is sold: amount, worth and balance. */
export function SoldField() {
  const texts = useSwapTexts()
  const hawser = useHawser()
  const id = useId()
  const token = useHawserState(hawser.swap, (state) => state.sourceToken)
  const typed = useTypedAmount(
    useHawserState(hawser.swap, (state) => state.sourceTokenAmount),
    (amount) => setSwapAmount(hawser, amount),
  )
  return (
    <div className="hw-send-box hw-swap-box" data-testid="swap-input-sourceToken">
      <label className="hw-send-label" htmlFor={id}>
        {texts.sell}
      </label>
      <div className="hw-send-line">
        <input
          id={id}
          className="hw-send-amount"
          inputMode="decimal"
          autoComplete="off"
          placeholder="0"
          value={typed.text}
          title={typed.text}
          aria-invalid={typed.isUnread || undefined}
          data-length={lengthOf(typed.text)}
          data-testid="swap-input-token-sourceToken"
          onChange={(event) => typed.onType(event.target.value)}
        />
        <TokenChoice side="sourceToken" token={token} />
      </div>
      <AmountNote typed={typed} />
      <div className="hw-send-line hw-send-detail">
        <Worth token={token} amount={typed.amount} />
        {token && <Balance token={token} withMax />}
      </div>
    </div>
  )
}

/** The token that is bought, with the amount of the quote. */
export function BoughtField() {
  const tag = useLocaleTag()
  const texts = useSwapTexts()
  const hawser = useHawser()
  const token = useHawserState(hawser.swap, (state) => state.toToken)
  const amount = useHawserState(hawser.swap, toTokenAmount)
  const isQuoting = useHawserState(hawser.swap, (state) => state.isQuoting && state.sourceTokenAmount !== '')
  const shown = amount && exactDecimal(amount, tag)
  return (
    <div className="hw-send-box hw-swap-box" data-testid="swap-input-toToken">
      <span className="hw-send-label">{texts.buy}</span>
      <div className="hw-send-line">
        <output
          className="hw-send-amount hw-swap-output"
          aria-label={texts.buy}
          aria-live="off"
          title={shown}
          data-length={lengthOf(shown)}
          data-state={isQuoting ? 'quoting' : shown ? 'quoted' : 'empty'}
          data-testid="swap-input-token-toToken"
        >
          {isQuoting && !shown ? <Skeleton width={120} height={30} /> : shown || '0'}
        </output>
        <TokenChoice side="toToken" token={token} />
      </div>
      <Announcement isQuoting={isQuoting} amount={shown} />
      <div className="hw-send-line hw-send-detail">
        <span className="hw-swap-worth">
          <Worth token={token} amount={amount} />
          {shown && <Loss />}
        </span>
        {token && <Balance token={token} />}
      </div>
    </div>
  )
}

interface AnnouncementProps {
  isQuoting: boolean
  /** Empty while there is none. */
  amount: string
}

/** Announces the first quote of each request to screen readers. Updates with every block would interrupt them. */
function Announcement({ isQuoting, amount }: AnnouncementProps) {
  const texts = useSwapTexts()
  const hawser = useHawser()
  const symbol = useHawserState(hawser.swap, (state) => state.toToken?.symbol ?? '')
  const question = useHawserState(hawser.swap, ({ sourceToken, toToken, sourceTokenAmount }) =>
    [sourceToken?.address, toToken?.address, sourceTokenAmount].join(),
  )
  const [said, setSaid] = useState({ question: '', text: '' })
  if (amount && !isQuoting && said.question !== question) {
    setSaid({ question, text: texts.quoted(`${amount} ${symbol}`) })
  }
  const text = said.question === question ? said.text : ''
  return (
    <span role="status" className="hw-visually-hidden" data-testid="swap-announcement">
      {isQuoting && !text ? texts.quoting : text}
    </span>
  )
}

/** Long amounts use a smaller font. */
function lengthOf(text: string): 'short' | 'medium' | 'long' {
  if (text.length > 14) return 'long'
  return text.length > 8 ? 'medium' : 'short'
}

function TokenChoice({ side, token }: { side: SwapSide; token: SwapToken | undefined }) {
  const texts = useSwapTexts()
  const hawser = useHawser()
  function choose() {
    hawser.events.emit({ event: 'CLICK_SELECT_TOKEN_TO_SWAP' })
    pushView(hawser, 'SwapSelectToken', { swapSide: side })
  }
  return (
    <button
      type="button"
      className="hw-token-choice"
      data-state={token ? 'chosen' : 'empty'}
      data-testid={`swap-select-token-button-${side}`}
      onClick={choose}
    >
      {token && <TokenMark token={token} size={28} />}
      <span className="hw-token-choice-name" title={token?.name} dir="auto">
        {token ? token.symbol : texts.selectToken}
      </span>
      {token && <span className="hw-visually-hidden">{texts.changeToken}</span>}
      <ChevronDownIcon size={16} />
    </button>
  )
}

function Worth({ token, amount }: { token: SwapToken | undefined; amount: string }) {
  const tag = useLocaleTag()
  const hawser = useHawser()
  const swap = useHawserState(hawser.swap, (state) => state)
  const price = useHawserState(hawser.chain, (chain) => token && swapPrice(swap, chain, token))
  const value = price === undefined || !Number(amount) ? undefined : formatUsd(price * Number(amount), tag)
  return <bdi className="hw-send-value">{value}</bdi>
}

/** The loss of the swap in percent, if it is notable. A large loss is shown by `SwapLossBanner`. */
function Loss() {
  const tag = useLocaleTag()
  const texts = useSwapTexts()
  const loss = useSwapLoss()
  if (!loss || impactTone(loss.percent) !== 'high') return null
  const percent = formatPercent(loss.percent, tag)
  return (
    <span
      className="hw-swap-impact"
      data-tone="high"
      title={texts.loss[loss.cause](percent)}
      data-testid="swap-loss"
    >
      −{percent}
    </span>
  )
}

function Balance({ token, withMax = false }: { token: SwapToken; withMax?: boolean }) {
  const texts = useSwapTexts()
  const hawser = useHawser()
  const swap = useHawserState(hawser.swap, (state) => state)
  const balance = useHawserState(hawser.chain, (chain) => swapBalance(swap, chain, token))
  const isLoading = useHawserState(hawser.chain, (chain) => !selectAccount(chain).tokenBalanceLoaded)
  const canBuy = useOnrampOffered()
  const isShort = balance !== undefined && (sourceAmount(swap) ?? 0n) > balance
  if (balance === undefined) return isLoading && <Skeleton width={72} height={14} />
  return (
    <span className="hw-send-balance">
      <Amount value={formatUnits(balance, token.decimals)} symbol={token.symbol} />
      {withMax && isShort && canBuy && (
        <button
          type="button"
          className="hw-link"
          title={texts.buyMore(token.symbol)}
          data-testid="swap-buy-button"
          onClick={() =>
            openOnramp(hawser, { token: isNativeSwapToken(token) ? token.symbol : token.address })
          }
        >
          {texts.buy}
        </button>
      )}
      {withMax && balance > 0n && (
        <button
          type="button"
          className="hw-link"
          title={texts.useMax}
          data-testid="swap-max-button"
          onClick={() => void fillMaxSwapAmount(hawser)}
        >
          {texts.max}
        </button>
      )}
    </span>
  )
}
