import {
  baseUnits,
  type ChainState,
  goBack,
  isSameSwapToken,
  readSwapTokens,
  rowOf,
  type SwapToken,
  selectAccount,
  selectSwapToken,
} from '@hawser/core'
import { Amount, CoinsIcon, EmptyState, List, ListItem } from '@hawser/ui'
import { useEffect, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useSwapTexts } from '../../locale/useSwapTexts.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { formatUsd } from '../../parts/fiat.ts'
import { SearchField } from '../../parts/search/SearchField.tsx'
import { SwapUnreachable } from '../../parts/swap/SwapUnreachable.tsx'
import { useWatchedSwap } from '../../parts/swap/useSwap.ts'
import { TokenMark } from '../../parts/TokenMark.tsx'
import { TokenSkeletons } from '../../parts/TokenSkeletons.tsx'
import { priceNote, tokenValue } from '../../parts/tokenValue.ts'

/** How many rows are rendered; the search finds the others. */
const MOST_ROWS = 100

/** How long the list waits for balances before it is shown without them, in milliseconds. */
const BALANCE_PATIENCE_MS = 1_000

/** The tokens that can be swapped, those of the account first, with a search by name, symbol and address. */
export function SwapSelectTokenView() {
  const texts = useSwapTexts().select
  const hawser = useHawser()
  const swap = useWatchedSwap()
  const side = useHawserState(hawser.router, ({ data }) => data?.swapSide) ?? 'toToken'
  const [query, setQuery] = useState('')
  const wanted = query.trim().toLowerCase()
  const unlisted = useUnlistedTokens(swap.tokens, wanted)

  const found = swap.tokens.filter((token) => matches(token, wanted))
  const held = useHeldTokens(swap.tokens)
  const yours = [...(held ?? [])].flatMap((address) => found.filter((token) => token.address === address))
  const others = held ? [...found.filter(({ address }) => !held.has(address)), ...unlisted] : []
  const isChosen = (token: SwapToken) =>
    isSameSwapToken(swap.sourceToken, token) || isSameSwapToken(swap.toToken, token)

  if (swap.availability === 'unreachable') return <SwapUnreachable />

  function choose(token: SwapToken) {
    selectSwapToken(hawser, side, token)
    goBack(hawser)
  }
  const rowProps = (token: SwapToken) => ({
    'data-testid': `swap-select-token-item-${token.symbol}`,
    disabled: isChosen(token),
    onSelect: () => choose(token),
  })
  return (
    <div className="hw-stack">
      <SearchField
        label={texts.search}
        value={query}
        data-testid="swap-select-token-search-input"
        onChange={setQuery}
      />
      {yours.length > 0 && (
        <section className="hw-swap-tokens">
          <h3 className="hw-heading">{texts.yours}</h3>
          <List label={texts.yours} appearance="plain">
            {yours.map((token) => (
              <OwnToken key={token.address} token={token} {...rowProps(token)} />
            ))}
          </List>
        </section>
      )}
      {others.length > 0 && (
        <section className="hw-swap-tokens">
          <h3 className="hw-heading">{texts.all}</h3>
          <List label={texts.all} appearance="plain">
            {others.slice(0, MOST_ROWS).map((token) => (
              <ListItem
                key={token.address}
                title={token.name}
                subtitle={unlisted.includes(token) ? texts.unlisted : token.symbol}
                icon={<TokenMark token={token} />}
                {...rowProps(token)}
              />
            ))}
          </List>
          {others.length > MOST_ROWS && <p className="hw-note">{texts.more(others.length - MOST_ROWS)}</p>}
        </section>
      )}
      {yours.length + others.length === 0 &&
        (swap.tokens.length === 0 || !held ? (
          <TokenSkeletons />
        ) : (
          <EmptyState icon={<CoinsIcon size={26} />} title={texts.emptyTitle}>
            {texts.noMatch(query.trim())}
          </EmptyState>
        ))}
    </div>
  )
}

/**
 * Returns the addresses of the tokens that the account held when the list was first shown, in the order of the account,
 * so that no row moves while the visitor clicks it; undefined while balances are loading.
 */
function useHeldTokens(tokens: readonly SwapToken[]): ReadonlySet<string> | undefined {
  const hawser = useHawser()
  const chain = useHawserState(hawser.chain, (state) => state)
  const [held, setHeld] = useState<ReadonlySet<string>>()
  const [hasWaited, setHasWaited] = useState(false)
  const { address, tokenBalanceLoaded } = selectAccount(chain)

  useEffect(() => {
    hawser.timers.set('swapTokenBalances', BALANCE_PATIENCE_MS, () => setHasWaited(true))
    return () => hawser.timers.cancel('swapTokenBalances')
  }, [hawser])

  const isKnown = !address || tokenBalanceLoaded || hasWaited
  if (!held && tokens.length > 0 && isKnown) {
    setHeld(new Set(heldTokens(chain, tokens).map((token) => token.address)))
  }
  return held
}

/** Returns the tokens that the account holds, in the order of the account. */
function heldTokens(chain: ChainState, tokens: readonly SwapToken[]): SwapToken[] {
  const rows = selectAccount(chain).tokenBalance
  return tokens
    .flatMap((token) => {
      const row = rowOf(chain, token)
      return row && baseUnits(row) > 0n ? [{ token, place: rows.indexOf(row) }] : []
    })
    .sort((a, b) => a.place - b.place)
    .map(({ token }) => token)
}

function matches({ name, symbol, address }: SwapToken, query: string): boolean {
  return [name, symbol, address].some((text) => text.toLowerCase().includes(query))
}

/** Looks a token up by its address when it is on no list. */
function useUnlistedTokens(listed: readonly SwapToken[], query: string): readonly SwapToken[] {
  const hawser = useHawser()
  const { network } = useNetwork()
  const [found, setFound] = useState<{ query: string; tokens: readonly SwapToken[] }>()
  const isUnlisted = /^0x[0-9a-f]{40}$/.test(query) && !listed.some((token) => matches(token, query))

  useEffect(() => {
    if (!isUnlisted || !network) return
    const left = new AbortController()
    readSwapTokens(hawser, network, left.signal, query).then(
      (tokens) => setFound({ query, tokens }),
      () => undefined, // A failed lookup finds nothing.
    )
    return () => left.abort()
  }, [hawser, network, query, isUnlisted])

  return isUnlisted && found?.query === query ? found.tokens : []
}

interface OwnTokenProps {
  token: SwapToken
  disabled: boolean
  onSelect: () => void
  'data-testid': string
}

/** A token that the account holds, with its balance and its value when a price is known. */
function OwnToken({ token, ...rest }: OwnTokenProps) {
  const texts = useTexts()
  const tag = useLocaleTag()
  const hawser = useHawser()
  const row = useHawserState(hawser.chain, (state) => rowOf(state, token))
  const value = row && formatUsd(tokenValue(row), tag)
  return (
    <ListItem
      title={token.name}
      subtitle={<Amount value={row?.quantity.numeric ?? '0'} symbol={token.symbol} />}
      icon={<TokenMark token={token} />}
      end={
        value && (
          <bdi className="hw-token-value" title={priceNote(row, texts, tag)}>
            {value}
          </bdi>
        )
      }
      {...rest}
    />
  )
}
