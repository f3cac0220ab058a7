import { type BuyQuote, type BuySeller, buy, formatUnits, type Money, parseUnits } from '@hawser/core'
import { Amount, ChevronDownIcon } from '@hawser/ui'
import { type ReactNode, useId, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useBuyTexts } from '../../locale/enBuy.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { formatMoney, methodName } from '../../parts/onramp/money.ts'
import { SellerMark } from '../../parts/onramp/SellerMark.tsx'
import { SellerTags } from './SellerTags.tsx'

export interface OfferRowProps {
  quote: BuyQuote
  /** Its entry in the list of sellers, if it has one. */
  seller: BuySeller | undefined
  isBest: boolean
}

/** One seller's offer. Choosing it opens the checkout; the arrow expands its details. */
export function OfferRow({ quote, seller, isBest }: OfferRowProps) {
  const tag = useLocaleTag()
  const texts = useBuyTexts()
  const hawser = useHawser()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { title, seller: sellerId, isSandbox, method, purchaseAmount } = quote
  if (!sellerId) return null
  return (
    <li className="hw-buy-offer" data-best={isBest || undefined} data-testid={`onramp-offer-${sellerId}`}>
      {isBest && <span className="hw-buy-best">{texts.best}</span>}
      <div className="hw-buy-offer-line">
        <button
          type="button"
          className="hw-row hw-buy-row"
          data-testid={`onramp-provider-${sellerId}`}
          onClick={() => buy(hawser, { id: sellerId, title, isSandbox, method })}
        >
          <span className="hw-row-icon">
            <SellerMark id={sellerId} title={title} />
          </span>
          <span className="hw-row-text">
            <span className="hw-row-title" title={title}>
              {title}
            </span>
            <span className="hw-buy-tags">
              <SellerTags seller={{ fee: seller?.fee, isSandbox }} />
            </span>
          </span>
          <span className="hw-buy-end">
            <span className="hw-buy-get">
              <Amount value={purchaseAmount.amount} symbol={purchaseAmount.currency} />
            </span>
            <span className="hw-buy-fees">{texts.fees(formatMoney(feesOf(quote), tag))}</span>
          </span>
        </button>
        <button
          type="button"
          className="hw-buy-more"
          aria-label={texts.details(title)}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          data-testid={`onramp-details-${sellerId}`}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronDownIcon size={16} />
        </button>
      </div>
      {isOpen && <OfferDetails id={id} quote={quote} />}
    </li>
  )
}

function OfferDetails({ id, quote }: { id: string; quote: BuyQuote }) {
  const tag = useLocaleTag()
  const texts = useBuyTexts()
  const { rows } = texts
  return (
    <dl id={id} className="hw-details hw-buy-details" data-testid="onramp-offer-details">
      <Row name={rows.total}>{formatMoney(quote.paymentTotal, tag)}</Row>
      <Row name={rows.providerFee}>{lessMoney(quote.providerFee, tag)}</Row>
      <Row name={rows.networkFee}>{lessMoney(quote.networkFee, tag)}</Row>
      <Row name={rows.subtotal}>{formatMoney(quote.paymentSubtotal, tag)}</Row>
      <Row name={rows.get}>
        <Amount
          value={quote.purchaseAmount.amount}
          symbol={quote.purchaseAmount.currency}
          precision="exact"
        />
      </Row>
      {quote.method && <Row name={rows.method}>{methodName(quote.method, texts)}</Row>}
    </dl>
  )
}

/** What is taken off the payment. The sign stays before the amount in text from right to left. */
function lessMoney(fee: Money, tag: string): ReactNode {
  return <bdi dir="ltr">− {formatMoney(fee, tag)}</bdi>
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** More than any currency has. */
const FEE_DIGITS = 18

/** Adds the network fee and the seller's fee, exactly. */
function feesOf({ providerFee, networkFee }: BuyQuote) {
  const sum = parseUnits(providerFee.amount, FEE_DIGITS) + parseUnits(networkFee.amount, FEE_DIGITS)
  return { amount: formatUnits(sum, FEE_DIGITS), currency: providerFee.currency }
}
