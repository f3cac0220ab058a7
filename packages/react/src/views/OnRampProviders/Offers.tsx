import {
  type BuyQuote,
  type BuySeller,
  buy,
  buyReadiness,
  currentBuyQuotes,
  type OnrampState,
  requestBuyQuotes,
} from '@hawser/core'
import { AlertIcon, Button, SkeletonRows, Tag } from '@hawser/ui'
import { useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useBuyTexts } from '../../locale/useBuyTexts.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { formatMoney } from '../../parts/onramp/money.ts'
import { SellerMark } from '../../parts/onramp/SellerMark.tsx'
import { OfferRow } from './OfferRow.tsx'
import { SellerTags } from './SellerTags.tsx'

/** How many sellers without an offer are listed. */
const MOST_SILENT = 3

/** The offers, best first; the typed amount as an estimate when no offers could be requested. */
export function Offers({ onramp }: { onramp: OnrampState }) {
  const buyTexts = useBuyTexts()
  const readiness = buyReadiness(onramp)
  const quotes = currentBuyQuotes(onramp)
  const offers = quotes.filter(({ isEstimate }) => !isEstimate)
  const isAsking = onramp.isQuoting && quotes.length === 0
  return (
    <section className="hw-buy-offers" aria-busy={onramp.isQuoting} data-testid="onramp-offers">
      <h3 className="hw-heading">{buyTexts.offers}</h3>
      <Announcement onramp={onramp} offers={offers} />
      <Notice onramp={onramp} hasOffers={offers.length > 0} />
      {readiness !== 'ready' && readiness !== 'loading' && (
        <p className="hw-buy-wait" data-testid="onramp-wait">
          {buyTexts.waits[readiness]}
        </p>
      )}
      {(readiness === 'loading' || isAsking) && <SkeletonRows count={2} label={buyTexts.asking} />}
      {offers.length > 0 && <OfferList offers={offers} />}
      {quotes.some(({ isEstimate }) => isEstimate) && <Estimates onramp={onramp} />}
      {offers.length > 0 && <Silent sellers={withoutOffer(onramp.sellers, offers)} />}
    </section>
  )
}

/** The offers, of which one is expanded: the best until another is chosen. */
function OfferList({ offers }: { offers: readonly BuyQuote[] }) {
  const buyTexts = useBuyTexts()
  const [chosen, setChosen] = useState<string>()
  const isOffered = chosen === '' || offers.some(({ seller }) => seller === chosen)
  const open = isOffered ? chosen : offers[0]?.seller
  return (
    <ul className="hw-buy-list" aria-label={buyTexts.offers}>
      {offers.map((quote, index) => (
        <OfferRow
          key={quote.seller}
          quote={quote}
          isBest={index === 0 && offers.length > 1}
          isOpen={quote.seller === open}
          onToggle={() => setChosen(quote.seller === open ? '' : quote.seller)}
        />
      ))}
    </ul>
  )
}

/** Announces the first offers of each request to screen readers. Every refresh would interrupt them. */
function Announcement({ onramp, offers }: { onramp: OnrampState; offers: readonly BuyQuote[] }) {
  const buyTexts = useBuyTexts()
  const [said, setSaid] = useState({ question: '', text: '' })
  const [best] = offers
  const question = onramp.quotesFor ?? ''
  if (best && said.question !== question) {
    const { amount, currency } = best.purchaseAmount
    setSaid({ question, text: buyTexts.found(offers.length, `${amount} ${currency}`, best.title) })
  }
  const isAsking = onramp.isQuoting && offers.length === 0
  return (
    <span role="status" className="hw-visually-hidden" data-testid="onramp-announcement">
      {isAsking ? buyTexts.asking : best && said.question === question ? said.text : ''}
    </span>
  )
}

/** Explains why there is no offer, or why the offers may be outdated. */
function Notice({ onramp, hasOffers }: { onramp: OnrampState; hasOffers: boolean }) {
  const buyTexts = useBuyTexts()
  const texts = useTexts()
  const hawser = useHawser()
  const { problem } = onramp
  return (
    <div role="status">
      {problem && (
        <div className="hw-buy-notice" data-testid="onramp-notice">
          <AlertIcon size={18} />
          <p>
            {hasOffers ? buyTexts.staleNote : buyTexts.problems[problem]}
            {problem === 'unavailable' && !hasOffers && ` ${buyTexts.estimateNote}`}
          </p>
          {problem === 'unavailable' && (
            <Button
              size="small"
              variant="quiet"
              loading={onramp.isQuoting}
              onClick={() => void requestBuyQuotes(hawser)}
            >
              {texts.tryAgain}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

/** Shown while no offers can be requested: the typed amount, labelled as an estimate. */
function Estimates({ onramp }: { onramp: OnrampState }) {
  const tag = useLocaleTag()
  const buyTexts = useBuyTexts()
  const hawser = useHawser()
  const { sellers, token, amount, currency, method } = onramp
  const money = buyTexts.about(formatMoney({ amount, currency: currency?.id ?? '' }, tag))
  if (sellers.length === 0) {
    return (
      <div className="hw-buy-estimate" data-testid="onramp-estimate">
        <span>
          {money} {buyTexts.of(token?.symbol ?? '')}
        </span>
        <Tag tone="warning">{buyTexts.estimate}</Tag>
      </div>
    )
  }
  return (
    <ul className="hw-buy-list" aria-label={buyTexts.offers}>
      {sellers.map((seller) => (
        <li key={seller.id} className="hw-buy-offer" data-testid={`onramp-estimate-${seller.id}`}>
          <button
            type="button"
            className="hw-row hw-buy-row hw-buy-guess"
            onClick={() => buy(hawser, { ...seller, method })}
          >
            <span className="hw-row-icon">
              <SellerMark id={seller.id} title={seller.title} />
            </span>
            <span className="hw-row-text">
              <span className="hw-row-title" title={seller.title}>
                {seller.title}
              </span>
              <span className="hw-buy-tags">
                <SellerTags seller={seller} />
              </span>
            </span>
            <span className="hw-buy-end">
              <span className="hw-buy-get">{money}</span>
              <span className="hw-buy-tags">
                <Tag tone="warning">{buyTexts.estimate}</Tag>
              </span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** The sellers that have no offer for this purchase. */
function Silent({ sellers }: { sellers: readonly BuySeller[] }) {
  const buyTexts = useBuyTexts()
  if (sellers.length === 0) return null
  if (sellers.length > MOST_SILENT) {
    return <p className="hw-note">{buyTexts.othersWithoutOffer(sellers.length)}</p>
  }
  return (
    <ul className="hw-buy-silent">
      {sellers.map((seller) => (
        <li key={seller.id} data-testid={`onramp-silent-${seller.id}`}>
          <SellerMark id={seller.id} title={seller.title} size={28} />
          <span className="hw-buy-silent-title">{seller.title}</span>
          <span>{buyTexts.noOffer}</span>
        </li>
      ))}
    </ul>
  )
}

function withoutOffer(sellers: readonly BuySeller[], offers: readonly BuyQuote[]): readonly BuySeller[] {
  return sellers.filter(({ id }) => !offers.some(({ seller }) => seller === id))
}
