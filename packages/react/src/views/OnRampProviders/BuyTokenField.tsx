import { type OnrampState, pushView, selectBuyMethod } from '@hawser/core'
import { ChevronDownIcon, Skeleton } from '@hawser/ui'
import { useId } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useBuyTexts } from '../../locale/useBuyTexts.ts'
import { TokenChoice } from '../../parts/amount/TokenChoice.tsx'
import { BuyTokenMark } from '../../parts/onramp/BuyTokenMark.tsx'
import { methodName } from '../../parts/onramp/money.ts'

/** The token that is bought, its network, and the payment method. */
export function BuyTokenField({ onramp }: { onramp: OnrampState }) {
  const texts = useBuyTexts()
  return (
    <div className="hw-entry-box hw-buy-lines">
      <div className="hw-entry-line">
        <span className="hw-entry-label">{texts.get}</span>
        <BoughtToken onramp={onramp} />
      </div>
      <MethodChoice onramp={onramp} />
    </div>
  )
}

function BoughtToken({ onramp: { token, isLoaded } }: { onramp: OnrampState }) {
  const texts = useBuyTexts()
  const hawser = useHawser()
  if (!isLoaded) return <Skeleton width={128} height={28} />
  return (
    <TokenChoice
      token={token}
      mark={token && <BuyTokenMark token={token} size={28} />}
      network={token ? texts.on(token.networkName) : ''}
      texts={texts}
      data-testid="onramp-token-button"
      onPress={() => pushView(hawser, 'OnRampTokenSelect')}
    />
  )
}

/** Renders nothing when there is one method. */
function MethodChoice({ onramp: { currency, method } }: { onramp: OnrampState }) {
  const texts = useBuyTexts()
  const hawser = useHawser()
  const id = useId()
  const limits = currency?.paymentMethodLimits ?? []
  if (limits.length < 2) return null
  return (
    <div className="hw-entry-line">
      <label className="hw-entry-label" htmlFor={id}>
        {texts.payWith}
      </label>
      <span className="hw-buy-select">
        <select
          id={id}
          value={method ?? ''}
          data-testid="onramp-method-select"
          onChange={(event) => selectBuyMethod(hawser, event.target.value || undefined)}
        >
          <option value="">{texts.anyMethod}</option>
          {limits.map((limit) => (
            <option key={limit.id} value={limit.id}>
              {methodName(limit.id, texts)}
            </option>
          ))}
        </select>
        <ChevronDownIcon size={16} />
      </span>
    </div>
  )
}
