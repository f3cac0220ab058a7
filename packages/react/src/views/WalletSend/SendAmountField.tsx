import {
  baseUnits,
  fillMaxSendAmount,
  openOnramp,
  pushView,
  type SendState,
  sendAmountInBaseUnits,
  setSendAmount,
} from '@hawser/core'
import { Amount, ChevronDownIcon } from '@hawser/ui'
import { useId } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { AmountNote } from '../../parts/amount/AmountNote.tsx'
import { useTypedAmount } from '../../parts/amount/useTypedAmount.ts'
import { formatUsd } from '../../parts/fiat.ts'
import { useOnrampOffered } from '../../parts/onramp/useOnrampOffered.ts'
import { TokenMark } from '../../parts/TokenMark.tsx'

/** The amount and its token, with worth and balance. */
export function SendAmountField() {
  const tag = useLocaleTag()
  const texts = useTexts()
  const hawser = useHawser()
  const id = useId()
  const token = useHawserState(hawser.send, (state) => state.token)
  const typed = useTypedAmount(
    useHawserState(hawser.send, (state) => state.sendTokenAmount),
    (amount) => setSendAmount(hawser, amount),
  )
  const isShort = useHawserState(hawser.send, isBeyondBalance)
  const canBuy = useOnrampOffered()
  const value =
    token && token.price > 0 && !typed.isUnread
      ? formatUsd(token.price * Number(typed.amount || 0), tag)
      : undefined
  return (
    <div className="hw-send-box" data-state={isShort ? 'error' : 'idle'}>
      <div className="hw-send-line">
        <label className="hw-send-label" htmlFor={id}>
          {texts.send.amount}
        </label>
        <TokenChoice />
      </div>
      <input
        id={id}
        className="hw-send-amount"
        inputMode="decimal"
        autoComplete="off"
        placeholder="0"
        value={typed.text}
        title={typed.text}
        aria-invalid={typed.isUnread || isShort || undefined}
        data-length={typed.text.length > 18 ? 'long' : typed.text.length > 10 ? 'medium' : 'short'}
        data-testid="send-amount-input"
        onChange={(event) => typed.onType(event.target.value)}
      />
      <AmountNote typed={typed} />
      <div className="hw-send-line hw-send-detail">
        <bdi className="hw-send-value">{value}</bdi>
        {token && (
          <span className="hw-send-balance">
            <Amount value={token.quantity.numeric} symbol={token.symbol} />
            {isShort && canBuy && (
              <button
                type="button"
                className="hw-link"
                title={texts.buy.missing(token.symbol)}
                data-testid="send-buy-button"
                onClick={() => openOnramp(hawser, { token: token.address ?? token.symbol })}
              >
                {texts.account.buy}
              </button>
            )}
            <button
              type="button"
              className="hw-link"
              title={texts.send.useMax}
              data-testid="send-max-button"
              onClick={() => void fillMaxSendAmount(hawser)}
            >
              {texts.send.max}
            </button>
          </span>
        )}
      </div>
    </div>
  )
}

function isBeyondBalance(send: SendState): boolean {
  const wanted = sendAmountInBaseUnits(send)
  return send.token !== undefined && wanted !== undefined && wanted > baseUnits(send.token)
}

function TokenChoice() {
  const texts = useTexts()
  const hawser = useHawser()
  const token = useHawserState(hawser.send, (state) => state.token)
  return (
    <button
      type="button"
      className="hw-token-choice"
      data-state={token ? 'chosen' : 'empty'}
      data-testid="send-select-token-button"
      onClick={() => pushView(hawser, 'WalletSendSelectToken')}
    >
      {token && <TokenMark token={token} size={28} />}
      <span className="hw-token-choice-name" title={token?.name} dir="auto">
        {token ? token.symbol : texts.send.selectToken}
      </span>
      {token && <span className="hw-visually-hidden">{texts.send.changeToken}</span>}
      <ChevronDownIcon size={16} />
    </button>
  )
}
