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
import { exactDecimal, Skeleton } from '@hawser/ui'
import { useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useSwapTexts } from '../../locale/useSwapTexts.ts'
import { AmountField, lengthOf } from '../../parts/amount/AmountField.tsx'
import { FieldBalance } from '../../parts/amount/FieldBalance.tsx'
import { TokenChoice } from '../../parts/amount/TokenChoice.tsx'
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
  const token = useHawserState(hawser.swap, (state) => state.sourceToken)
  const amount = useHawserState(hawser.swap, (state) => state.sourceTokenAmount)
  return (
    <AmountField
      label={texts.sell}
      layout="inline"
      value={amount}
      onChange={(amount) => setSwapAmount(hawser, amount)}
      testIds={{ box: 'swap-input-sourceToken', input: 'swap-input-token-sourceToken' }}
      unit={<SideChoice side="sourceToken" token={token} />}
      worth={(amount) => <Worth token={token} amount={amount} />}
      balance={token && <Balance token={token} isSold />}
    />
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
    <div className="hw-entry-box hw-amount-inline" data-testid="swap-input-toToken">
      <span className="hw-entry-label">{texts.buy}</span>
      <div className="hw-entry-line">
        <output
          className="hw-amount-input hw-swap-output"
          aria-label={texts.buy}
          aria-live="off"
          title={shown}
          data-length={lengthOf(shown, 'inline')}
          data-state={isQuoting ? 'quoting' : shown ? 'quoted' : 'empty'}
          data-testid="swap-input-token-toToken"
        >
          {isQuoting && !shown ? <Skeleton width={120} height={30} /> : shown || '0'}
        </output>
        <SideChoice side="toToken" token={token} />
      </div>
      <Announcement isQuoting={isQuoting} amount={shown} />
      <div className="hw-entry-line hw-amount-detail">
        <span className="hw-swap-worth">
          <bdi className="hw-amount-worth">
            <Worth token={token} amount={amount} />
          </bdi>
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

function SideChoice({ side, token }: { side: SwapSide; token: SwapToken | undefined }) {
  const texts = useSwapTexts()
  const hawser = useHawser()
  function choose() {
    hawser.events.emit({ event: 'CLICK_SELECT_TOKEN_TO_SWAP' })
    pushView(hawser, 'SwapSelectToken', { swapSide: side })
  }
  return (
    <TokenChoice
      token={token}
      mark={token && <TokenMark token={token} size={28} />}
      texts={texts}
      data-testid={`swap-select-token-button-${side}`}
      onPress={choose}
    />
  )
}

function Worth({ token, amount }: { token: SwapToken | undefined; amount: string }) {
  const tag = useLocaleTag()
  const hawser = useHawser()
  const swap = useHawserState(hawser.swap, (state) => state)
  const price = useHawserState(hawser.chain, (chain) => token && swapPrice(swap, chain, token))
  return price !== undefined && Number(amount) ? formatUsd(price * Number(amount), tag) : null
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

function Balance({ token, isSold = false }: { token: SwapToken; isSold?: boolean }) {
  const texts = useSwapTexts()
  const hawser = useHawser()
  const swap = useHawserState(hawser.swap, (state) => state)
  const balance = useHawserState(hawser.chain, (chain) => swapBalance(swap, chain, token))
  const isLoading = useHawserState(hawser.chain, (chain) => !selectAccount(chain).tokenBalanceLoaded)
  const canBuy = useOnrampOffered()
  const isShort = balance !== undefined && (sourceAmount(swap) ?? 0n) > balance
  if (balance === undefined) return isLoading && <Skeleton width={72} height={14} />
  const buy = {
    text: texts.buy,
    title: texts.buyMore(token.symbol),
    'data-testid': 'swap-buy-button',
    onPress: () => openOnramp(hawser, { token: isNativeSwapToken(token) ? token.symbol : token.address }),
  }
  const max = {
    text: texts.max,
    title: texts.useMax,
    'data-testid': 'swap-max-button',
    onPress: () => void fillMaxSwapAmount(hawser),
  }
  return (
    <FieldBalance
      value={formatUnits(balance, token.decimals)}
      symbol={token.symbol}
      buy={isSold && isShort && canBuy ? buy : undefined}
      max={isSold && balance > 0n ? max : undefined}
    />
  )
}
