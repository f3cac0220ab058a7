import { goBack, openOnramp, selectSendToken, type TokenBalance, watchBalances } from '@hawser/core'
import { Button, CoinsIcon, EmptyState, List } from '@hawser/ui'
import { useEffect, useState } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useHawser } from '../../hooks/useHawser.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { BalanceError } from '../../parts/BalanceError.tsx'
import { useOnrampOffered } from '../../parts/onramp/useOnrampOffered.ts'
import { SearchField } from '../../parts/search/SearchField.tsx'
import { TokenRow } from '../../parts/TokenRow.tsx'
import { TokenSkeletons } from '../../parts/TokenSkeletons.tsx'

/** The tokens that can be sent, with a search by name, symbol and address. */
export function WalletSendSelectTokenView() {
  const texts = useTexts()
  const hawser = useHawser()
  const { tokenBalance: tokens, tokenBalanceLoaded, tokenBalanceLoading, lastRetry } = useAccount()
  const canBuy = useOnrampOffered()
  const [query, setQuery] = useState('')
  useEffect(() => watchBalances(hawser), [hawser])
  const found = findTokens(tokens, query.trim().toLowerCase())

  if (tokens.length === 0 && lastRetry !== undefined && !tokenBalanceLoading) {
    return <BalanceError lastRetry={lastRetry} />
  }

  function choose(token: TokenBalance) {
    selectSendToken(hawser, token)
    goBack(hawser)
  }
  return (
    <div className="hw-stack">
      <SearchField
        label={texts.selectToken.search}
        value={query}
        data-testid="send-token-search-input"
        onChange={setQuery}
      />
      <h3 className="hw-heading">{texts.selectToken.yours}</h3>
      {found.length > 0 ? (
        <List label={texts.selectToken.yours} appearance="plain">
          {found.map((token) => (
            <TokenRow
              key={token.address ?? token.symbol}
              token={token}
              data-testid={`send-token-${token.symbol}`}
              onSelect={choose}
            />
          ))}
        </List>
      ) : !tokenBalanceLoaded ? (
        <TokenSkeletons />
      ) : (
        <EmptyState
          icon={<CoinsIcon size={26} />}
          title={texts.selectToken.emptyTitle}
          action={
            canBuy && (
              <Button size="small" data-testid="send-select-buy-button" onClick={() => openOnramp(hawser)}>
                {texts.account.buy}
              </Button>
            )
          }
        >
          {query.trim() ? texts.selectToken.noMatch(query.trim()) : texts.selectToken.emptyText}
        </EmptyState>
      )}
    </div>
  )
}

/** Finds tokens by a query. Suspicious tokens come last, and only when they match a search. */
function findTokens(tokens: readonly TokenBalance[], query: string): readonly TokenBalance[] {
  const found = tokens.filter((token) => matches(token, query))
  const doubtful = query ? found.filter((token) => token.hidden) : []
  return [...found.filter((token) => !token.hidden), ...doubtful]
}

function matches({ name, symbol, address = '' }: TokenBalance, query: string): boolean {
  return [name, symbol, address].some((text) => text.toLowerCase().includes(query))
}
