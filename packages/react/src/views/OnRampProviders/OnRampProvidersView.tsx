import { isOpenOrder, type OnrampState, openModal, pushView, showOrder } from '@hawser/core'
import { AlertIcon, Button, CardIcon, ChevronRightIcon, ClockIcon, EmptyState, WalletIcon } from '@hawser/ui'
import { useAccount } from '../../hooks/useAccount.ts'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { useBuyTexts } from '../../locale/useBuyTexts.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { DefaultsNote } from '../../parts/onramp/DefaultsNote.tsx'
import { useWatchedOnramp } from '../../parts/onramp/useOnramp.ts'
import { BuyAmountField } from './BuyAmountField.tsx'
import { BuyTokenField } from './BuyTokenField.tsx'
import { Offers } from './Offers.tsx'

/** The purchase form and the offers of the sellers. Choosing an offer opens its checkout. */
export function OnRampProvidersView() {
  const buyTexts = useBuyTexts()
  const texts = useTexts()
  const hawser = useHawser()
  const onramp = useWatchedOnramp()
  const { isConnected } = useAccount()
  if (!isConnected) {
    return (
      <EmptyState
        icon={<WalletIcon size={26} />}
        title={buyTexts.disconnected.title}
        data-testid="onramp-disconnected"
        action={
          <Button size="small" variant="primary" onClick={() => openModal(hawser, { view: 'Connect' })}>
            {texts.connect.title}
          </Button>
        }
      >
        {buyTexts.disconnected.text}
      </EmptyState>
    )
  }
  if (onramp.isLoaded && onramp.tokens.length === 0) {
    return (
      <EmptyState icon={<CardIcon size={26} />} title={buyTexts.nothing.title} data-testid="onramp-nothing">
        {buyTexts.nothing.text}
      </EmptyState>
    )
  }
  return (
    <div className="hw-stack hw-buy">
      <UnderWay onramp={onramp} />
      <div className="hw-buy-fields">
        <BuyAmountField onramp={onramp} />
        <BuyTokenField onramp={onramp} />
      </div>
      {onramp.isDefault ? <DefaultsNote /> : <NetworkNote onramp={onramp} />}
      <Offers onramp={onramp} />
      <Footer />
    </div>
  )
}

/** Warns when the chosen token is on another network than the active one. */
function NetworkNote({ onramp: { isLoaded, token } }: { onramp: OnrampState }) {
  const buyTexts = useBuyTexts()
  const { network } = useNetwork()
  if (!isLoaded || !network || token?.chainId === network.caipNetworkId) return null
  return (
    <div className="hw-buy-notice" role="status" data-testid="onramp-network-note">
      <AlertIcon size={18} />
      <p>
        {token
          ? buyTexts.arrivesElsewhere(token.symbol, token.networkName, network.name)
          : buyTexts.notSoldHere(network.name)}
      </p>
    </div>
  )
}

/** Links to open purchases. A checkout of an earlier visit without a payment does not count. */
function UnderWay({ onramp }: { onramp: OnrampState }) {
  const buyTexts = useBuyTexts()
  const hawser = useHawser()
  const { orders, purchase } = onramp
  const open = orders.filter(
    (order) => isOpenOrder(order) && (order.state !== 'created' || order.id === purchase?.orderId),
  )
  const [first] = open
  if (!first) return null
  return (
    <button
      type="button"
      className="hw-buy-under-way"
      data-testid="onramp-under-way"
      onClick={() => (open.length === 1 ? showOrder(hawser, first) : pushView(hawser, 'OnRampActivity'))}
    >
      <ClockIcon size={18} />
      <span>{buyTexts.underWay(open.length)}</span>
      <ChevronRightIcon size={18} />
    </button>
  )
}

function Footer() {
  const texts = useTexts()
  const buyTexts = useBuyTexts()
  const hawser = useHawser()
  const hasTerms = useHawserState(hawser.options, ({ termsConditionsUrl, privacyPolicyUrl }) =>
    Boolean(termsConditionsUrl || privacyPolicyUrl),
  )
  function explain() {
    hawser.events.emit({ event: 'SELECT_WHAT_IS_A_BUY' })
    pushView(hawser, 'WhatIsABuy')
  }
  return (
    <div className="hw-buy-footer">
      {hasTerms && <p className="hw-note">{buyTexts.footer}</p>}
      <div className="hw-buy-links">
        <button
          type="button"
          className="hw-link"
          data-testid="onramp-activity-button"
          onClick={() => pushView(hawser, 'OnRampActivity')}
        >
          {texts.buy.purchases}
        </button>
        <button type="button" className="hw-link" data-testid="onramp-help-button" onClick={explain}>
          {buyTexts.how}
        </button>
      </div>
    </div>
  )
}
