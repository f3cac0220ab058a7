import {
  baseUnits,
  fillMaxSendAmount,
  openOnramp,
  pushView,
  type SendState,
  sendAmountInBaseUnits,
  setSendAmount,
} from '@hawser/core'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { AmountField } from '../../parts/amount/AmountField.tsx'
import { FieldBalance } from '../../parts/amount/FieldBalance.tsx'
import { TokenChoice } from '../../parts/amount/TokenChoice.tsx'
import { formatUsd } from '../../parts/fiat.ts'
import { useOnrampOffered } from '../../parts/onramp/useOnrampOffered.ts'
import { TokenMark } from '../../parts/TokenMark.tsx'

/** The amount and its token, with worth and balance. */
export function SendAmountField() {
  const tag = useLocaleTag()
  const texts = useTexts()
  const hawser = useHawser()
  const token = useHawserState(hawser.send, (state) => state.token)
  const amount = useHawserState(hawser.send, (state) => state.sendTokenAmount)
  const isShort = useHawserState(hawser.send, isBeyondBalance)
  const canBuy = useOnrampOffered()
  const price = token?.price ?? 0
  return (
    <AmountField
      label={texts.send.amount}
      value={amount}
      onChange={(amount) => setSendAmount(hawser, amount)}
      isWrong={isShort}
      testIds={{ input: 'send-amount-input' }}
      unit={
        <TokenChoice
          token={token}
          mark={token && <TokenMark token={token} size={28} />}
          texts={texts.send}
          data-testid="send-select-token-button"
          onPress={() => pushView(hawser, 'WalletSendSelectToken')}
        />
      }
      worth={(amount) => price > 0 && formatUsd(price * Number(amount || 0), tag)}
      balance={
        token && (
          <FieldBalance
            value={token.quantity.numeric}
            symbol={token.symbol}
            buy={
              isShort && canBuy
                ? {
                    text: texts.account.buy,
                    title: texts.buy.missing(token.symbol),
                    'data-testid': 'send-buy-button',
                    onPress: () => openOnramp(hawser, { token: token.address ?? token.symbol }),
                  }
                : undefined
            }
            max={{
              text: texts.send.max,
              title: texts.send.useMax,
              'data-testid': 'send-max-button',
              onPress: () => void fillMaxSendAmount(hawser),
            }}
          />
        )
      }
    />
  )
}

function isBeyondBalance(send: SendState): boolean {
  const wanted = sendAmountInBaseUnits(send)
  return send.token !== undefined && wanted !== undefined && wanted > baseUnits(send.token)
}
