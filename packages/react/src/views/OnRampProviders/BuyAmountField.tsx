import {
  type BuyReadiness,
  buyLimits,
  buyReadiness,
  type OnrampState,
  pushView,
  setBuyAmount,
} from '@hawser/core'
import type { Texts } from '@hawser/texts/modal/texts'
import { ChevronDownIcon, Skeleton } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useBuyTexts } from '../../locale/useBuyTexts.ts'
import { AmountField } from '../../parts/amount/AmountField.tsx'
import {
  aroundAmount,
  currencyName,
  formatMoney,
  formatRoundMoney,
  methodName,
} from '../../parts/onramp/money.ts'

/** For currencies of the magnitude of the dollar; scaled by ten or more for smaller units such as the yen. */
const presets = [100, 250, 500, 1000]

/** The amount and currency of the payment, with its limits. */
export function BuyAmountField({ onramp }: { onramp: OnrampState }) {
  const tag = useLocaleTag()
  const texts = useBuyTexts()
  const hawser = useHawser()
  const { amount, currency } = onramp
  const readiness = buyReadiness(onramp)
  return (
    <AmountField
      label={texts.pay}
      value={amount}
      onChange={(value) => setBuyAmount(hawser, value)}
      isWrong={readiness === 'belowLimit' || readiness === 'aboveLimit' || readiness === 'incorrectValue'}
      maxLength={20}
      testIds={{ input: 'onramp-amount-input', hint: 'onramp-amount-hint' }}
      unit={<CurrencyChoice onramp={onramp} />}
      signs={currency ? aroundAmount(currency.id, tag) : ['', '']}
      hint={currency ? hintOf(onramp, readiness, texts, tag) : <Skeleton width={140} height={14} />}
    >
      <fieldset className="hw-buy-presets" aria-label={texts.presets}>
        {presetsOf(onramp).map((preset) => (
          <button
            key={preset}
            type="button"
            className="hw-buy-preset"
            aria-pressed={amount === preset}
            data-testid={`onramp-preset-${preset}`}
            onClick={() => setBuyAmount(hawser, preset)}
          >
            {formatRoundMoney({ amount: preset, currency: currency?.id ?? 'USD' }, tag)}
          </button>
        ))}
      </fieldset>
    </AmountField>
  )
}

function CurrencyChoice({ onramp: { currency } }: { onramp: OnrampState }) {
  const tag = useLocaleTag()
  const texts = useBuyTexts()
  const hawser = useHawser()
  return (
    <button
      type="button"
      className="hw-token-choice hw-buy-currency"
      data-state="chosen"
      title={currency && currencyName(currency.id, tag)}
      disabled={!currency}
      data-testid="onramp-currency-button"
      onClick={() => pushView(hawser, 'OnRampFiatSelect')}
    >
      {currency?.id ?? '…'}
      <span className="hw-visually-hidden">{texts.changeCurrency}</span>
      <ChevronDownIcon size={16} />
    </button>
  )
}

/** Preset amounts, scaled so that the smallest is within the limits. */
function presetsOf(onramp: OnrampState): readonly string[] {
  const min = Number(buyLimits(onramp)?.min ?? 0)
  const factor = 10 ** Math.max(0, Math.ceil(Math.log10(min / 100)))
  return presets.map((preset) => String(preset * factor))
}

function hintOf(onramp: OnrampState, readiness: BuyReadiness, texts: Texts['buy'], tag: string): string {
  const { currency, method } = onramp
  const limits = buyLimits(onramp)
  if (readiness === 'incorrectValue') return texts.waits.incorrectValue
  if (!limits || !currency) return ''
  const min = formatMoney({ amount: limits.min, currency: currency.id }, tag)
  const max = formatMoney({ amount: limits.max, currency: currency.id }, tag)
  const { hints } = texts
  const hint =
    readiness === 'belowLimit'
      ? hints.belowLimit(min)
      : readiness === 'aboveLimit'
        ? hints.aboveLimit(max)
        : hints.range(min, max)
  return method ? hints.by(hint, methodName(method, texts)) : hint
}
