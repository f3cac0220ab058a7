import { type BuyQuote, buy, formatUnits, type Money, parseUnits } from '@hawser/core'
import { Amount, Button, ChevronDownIcon } from '@hawser/ui'
import { type ReactNode, useId } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useBuyTexts } from '../../locale/useBuyTexts.ts'
import { formatMoney, methodName } from '../../parts/onramp/money.ts'
import { SellerMark } from '../../parts/onramp/SellerMark.tsx'
import { SellerTags } from './SellerTags.tsx'

export interface OfferRowProps {
  quote: BuyQuote
  isBest: boolean
  isOpen: boolean
  /** Opens or closes the details. */
  onToggle: () => void
}

/** One seller's offer. Pressing it shows its parts, and the button that opens the checkout. */
export function OfferRow({ quote, isBest, isOpen, onToggle }: OfferRowProps) {
  const tag = useLocaleTag()
  const texts = useBuyTexts()
  const hawser = useHawser()
  const id = useId()
  const { title, seller: sellerId, isSandbox, method, purchaseAmount } = quote
  if (!sellerId) return null
  return (
    <li className="hw-buy-offer" data-best={isBest || undefined} data-testid={`onramp-offer-${sellerId}`}>
      {isBest && <span className="hw-buy-best">{texts.best}</span>}
      <button
        type="button"
        className="hw-row hw-buy-row"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        data-testid={`onramp-provider-${sellerId}`}
        onClick={onToggle}
      >
        <span className="hw-row-icon">
          <SellerMark id={sellerId} title={title} />
        </span>
        <span className="hw-row-text">
          <span className="hw-row-title" title={title}>
            {title}
          </span>
          {isSandbox && (
            <span className="hw-buy-tags">
              <SellerTags seller={{ fee: undefined, isSandbox }} />
            </span>
          )}
        </span>
        <span className="hw-buy-end">
          <span className="hw-buy-get">
            <Amount value={purchaseAmount.amount} symbol={purchaseAmount.currency} />
          </span>
          <span className="hw-buy-fees">{texts.fees(formatMoney(feesOf(quote), tag))}</span>
        </span>
        <span className="hw-buy-more">
          <ChevronDownIcon size={16} />
        </span>
      </button>
      {isOpen && (
        <div id={id} className="hw-buy-open">
          <OfferDetails quote={quote} />
          <Button
            wide
            variant="primary"
            data-testid={`onramp-continue-${sellerId}`}
            onClick={() => buy(hawser, { id: sellerId, title, isSandbox, method })}
          >
            {texts.continueWith(title)}
          </Button>
        </div>
      )}
    </li>
  )
}

function OfferDetails({ quote }: { quote: BuyQuote }) {
  const tag = useLocaleTag()
  const texts = useBuyTexts()
  const { rows } = texts
  return (
    <dl className="hw-details hw-buy-details" data-testid="onramp-offer-details">
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
