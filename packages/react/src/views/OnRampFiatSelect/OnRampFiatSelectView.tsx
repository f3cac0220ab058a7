import { goBack, type PaymentCurrency, selectBuyCurrency } from '@hawser/core'
import { CheckIcon, CoinsIcon, EmptyState, List, ListItem, SkeletonRows } from '@hawser/ui'
import { useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useBuyTexts } from '../../locale/useBuyTexts.ts'
import { currencyName, currencySign } from '../../parts/onramp/money.ts'
import { useWatchedOnramp } from '../../parts/onramp/useOnramp.ts'
import { SearchField } from '../../parts/search/SearchField.tsx'

/** From this many rows on there is a search. */
const MANY = 7

/** The currencies that can be paid with. */
export function OnRampFiatSelectView() {
  const tag = useLocaleTag()
  const texts = useBuyTexts().fiat
  const buyTexts = useBuyTexts()
  const hawser = useHawser()
  const { currencies, currency, isLoaded } = useWatchedOnramp()
  const [query, setQuery] = useState('')
  const wanted = query.trim().toLowerCase()
  const found = currencies.filter(({ id }) =>
    [id, currencyName(id, tag)].some((text) => text.toLowerCase().includes(wanted)),
  )

  function choose(chosen: PaymentCurrency) {
    selectBuyCurrency(hawser, chosen)
    goBack(hawser)
  }
  if (!isLoaded) return <SkeletonRows count={4} label={buyTexts.waits.loading} />
  return (
    <div className="hw-stack">
      {currencies.length >= MANY && (
        <SearchField
          label={texts.search}
          value={query}
          onChange={setQuery}
          data-testid="onramp-fiat-search-input"
        />
      )}
      {found.length === 0 ? (
        <EmptyState icon={<CoinsIcon size={26} />} title={texts.emptyTitle}>
          {buyTexts.tokens.noMatch(query.trim())}
        </EmptyState>
      ) : (
        <List label={texts.list} appearance="plain">
          {found.map((one) => (
            <ListItem
              key={one.id}
              title={currencyName(one.id, tag)}
              subtitle={one.id}
              icon={<CurrencyMark currency={one.id} />}
              current={one.id === currency?.id}
              end={one.id === currency?.id && <Chosen />}
              data-testid={`onramp-fiat-${one.id}`}
              onSelect={() => choose(one)}
            />
          ))}
        </List>
      )}
    </div>
  )
}

function CurrencyMark({ currency }: { currency: string }) {
  const tag = useLocaleTag()
  return (
    <span className="hw-icon-tile hw-buy-currency-mark" aria-hidden="true">
      {currencySign(currency, tag)}
    </span>
  )
}

function Chosen() {
  return (
    <span className="hw-current">
      <CheckIcon size={20} />
    </span>
  )
}
