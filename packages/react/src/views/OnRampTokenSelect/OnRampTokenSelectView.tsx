import { type BuyToken, goBack, isSameBuyToken, selectBuyToken } from '@hawser/core'
import { CheckIcon, CoinsIcon, EmptyState, List, ListItem, SkeletonRows } from '@hawser/ui'
import { useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { useBuyTexts } from '../../locale/useBuyTexts.ts'
import { BuyTokenMark } from '../../parts/onramp/BuyTokenMark.tsx'
import { DefaultsNote } from '../../parts/onramp/DefaultsNote.tsx'
import { useWatchedOnramp } from '../../parts/onramp/useOnramp.ts'
import { SearchField } from '../../parts/search/SearchField.tsx'

/** How many rows are rendered; the search finds the others. */
const MOST_ROWS = 100

/** The tokens that can be bought, those of the active network first, with a search by name, symbol and address. */
export function OnRampTokenSelectView() {
  const texts = useBuyTexts().tokens
  const buyTexts = useBuyTexts()
  const { tokens, isLoaded, isDefault } = useWatchedOnramp()
  const { network } = useNetwork()
  const [query, setQuery] = useState('')
  const wanted = query.trim().toLowerCase()
  const found = tokens.filter((token) => matches(token, wanted))
  const isHere = ({ chainId }: BuyToken) => chainId === network?.caipNetworkId

  if (!isLoaded) return <SkeletonRows count={5} label={buyTexts.waits.loading} />
  return (
    <div className="hw-stack">
      <SearchField
        label={texts.search}
        value={query}
        onChange={setQuery}
        data-testid="onramp-token-search-input"
      />
      {isDefault && <DefaultsNote />}
      {found.length === 0 && (
        <EmptyState icon={<CoinsIcon size={26} />} title={texts.emptyTitle}>
          {texts.noMatch(query.trim())}
        </EmptyState>
      )}
      <Tokens label={texts.here(network?.name ?? '')} tokens={found.filter(isHere)} />
      <Tokens label={texts.elsewhere} tokens={found.filter((token) => !isHere(token))} />
    </div>
  )
}

function Tokens({ label, tokens }: { label: string; tokens: readonly BuyToken[] }) {
  const texts = useBuyTexts().tokens
  const hawser = useHawser()
  const { token: chosen } = hawser.onramp.getState()
  if (tokens.length === 0) return null

  function choose(token: BuyToken) {
    selectBuyToken(hawser, token)
    goBack(hawser)
  }
  return (
    <section className="hw-swap-tokens">
      <h3 className="hw-heading">{label}</h3>
      <List label={label} appearance="plain">
        {tokens.slice(0, MOST_ROWS).map((token) => {
          const isChosen = chosen !== undefined && isSameBuyToken(chosen, token)
          return (
            <ListItem
              key={`${token.chainId}|${token.id}`}
              title={token.name}
              subtitle={`${token.symbol} · ${token.networkName}`}
              icon={<BuyTokenMark token={token} />}
              current={isChosen}
              end={
                isChosen && (
                  <span className="hw-current">
                    <CheckIcon size={20} />
                  </span>
                )
              }
              data-testid={`onramp-token-${token.symbol}-${token.chainId}`}
              onSelect={() => choose(token)}
            />
          )
        })}
      </List>
      {tokens.length > MOST_ROWS && <p className="hw-note">{texts.more(tokens.length - MOST_ROWS)}</p>}
    </section>
  )
}

function matches({ name, symbol, contract, networkName }: BuyToken, query: string): boolean {
  return [name, symbol, contract, networkName].some((text) => text.toLowerCase().includes(query))
}
