import {
  type Connector,
  connectorOf,
  type DirectoryState,
  fetchMoreWallets,
  fetchOfferedWallets,
  isPhone,
  needsPublicRelay,
  pushView,
  type SelectedWallet,
  searchWallets,
  selectConnector,
  selectWallet,
  WALLET_SEARCH_DEBOUNCE_MS,
} from '@hawser/core'
import { AlertIcon, Button, EmptyState, Switch, WalletIcon } from '@hawser/ui'
import { useEffect, useRef, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { usePairingTexts } from '../../locale/usePairingTexts.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { useLegalBlock } from '../../parts/Legal.tsx'
import { useOfferedNamespaces } from '../../parts/namespaces/useOfferedNamespaces.ts'
import { usePairingConnector } from '../../parts/pairing/usePairingConnector.ts'
import { SearchField } from '../../parts/search/SearchField.tsx'
import { hasOneOf, isInstalled } from '../../parts/wallets/installed.ts'
import { TileSkeletons, WalletTile } from './WalletTile.tsx'

/** The whole wallet directory: a grid that is read as it is scrolled, with a search by name. */
export function AllWalletsView() {
  const texts = usePairingTexts().all
  const hawser = useHawser()
  const { query, isCertifiedOnly } = useHawserState(hawser.directory, (state) => state)
  const { wallets, count, isLoading, hasFailed } = useHawserState(hawser.directory, (state) =>
    state.query ? state.found : state.all,
  )
  const featured = useHawserState(hawser.directory, (state) => state.featured)
  const shown: readonly SelectedWallet[] =
    query || isCertifiedOnly ? wallets : uniqueById([...featured, ...wallets])
  const tiles = useTiles(shown, { query, isCertifiedOnly })
  const [typed, setTyped] = useState(query)

  useEffect(() => {
    void fetchOfferedWallets(hawser)
    return () => hawser.timers.cancel('walletSearch')
  }, [hawser])

  function type(text: string) {
    setTyped(text)
    hawser.timers.set('walletSearch', WALLET_SEARCH_DEBOUNCE_MS, () => {
      void searchWallets(hawser, text, hawser.directory.getState().isCertifiedOnly)
    })
  }

  const isComplete = count !== undefined && wallets.length >= count
  return (
    <div className="hw-stack">
      <SearchField label={texts.search} value={typed} onChange={type} data-testid="wui-input-text" />
      {(isCertifiedOnly || wallets.some((wallet) => wallet.isCertified)) && (
        <Switch
          label={texts.certified}
          checked={isCertifiedOnly}
          data-testid="wui-certified-switch"
          onChange={(checked) => void searchWallets(hawser, typed, checked)}
        />
      )}
      {tiles.length > 0 && <WalletGrid tiles={tiles} />}
      {hasFailed ? (
        <LoadFailure />
      ) : tiles.length === 0 && isComplete ? (
        <EmptyState
          icon={<WalletIcon size={26} />}
          title={texts.emptyTitle}
          data-testid="no-wallet-found-text"
        >
          {texts.emptyText(typed.trim())}
        </EmptyState>
      ) : (
        !isComplete && (
          <MoreWallets key={shown.length} isFirst={shown.length === 0} query={query} isLoading={isLoading} />
        )
      )}
      {isPhone() && (
        <Button wide onClick={() => pushView(hawser, 'ConnectingWalletConnect')}>
          {texts.code}
        </Button>
      )}
    </div>
  )
}

interface Tile {
  /** That of the directory, where it is known there. */
  readonly wallet: SelectedWallet
  /** The wallet in this page. */
  readonly connector?: Connector
}

/** Returns the wallets of this browser, whether or not the directory knows them, and then the others of the directory. */
function useTiles(
  wallets: readonly SelectedWallet[],
  { query, isCertifiedOnly }: Pick<DirectoryState, 'query' | 'isCertifiedOnly'>,
): readonly Tile[] {
  const hawser = useHawser()
  const { connectors } = useHawserState(hawser.connectors, (state) => state)
  const namespaces = useOfferedNamespaces()
  const isFound = ({ name }: Connector) =>
    !isCertifiedOnly && name.toLowerCase().includes(query.trim().toLowerCase())
  const installed = connectors
    .filter((each) => isInstalled(each) && !each.isDuplicate && hasOneOf(each, namespaces))
    .flatMap((connector): readonly Tile[] => {
      const entries = connector.connectors ?? [connector]
      const known = wallets.find((wallet) => connectorOf(entries, wallet))
      if (known) return [{ wallet: known, connector }]
      const { id, name, imageUrl } = connector
      return isFound(connector) ? [{ wallet: { id, name, ...(imageUrl && { imageUrl }) }, connector }] : []
    })
  const others = wallets.filter(({ id }) => !installed.some(({ wallet }) => wallet.id === id))
  return [...installed, ...others.map((wallet) => ({ wallet }))]
}

function WalletGrid({ tiles }: { tiles: readonly Tile[] }) {
  const texts = usePairingTexts().all
  const hawser = useHawser()
  const connectors = useHawserState(hawser.connectors, (state) => state.allConnectors)
  const pairing = usePairingConnector()
  const blocked = useLegalBlock()
  return (
    <ul className="hw-wallet-grid" aria-label={texts.list}>
      {tiles.map(({ wallet, connector }) => (
        <WalletTile
          key={connector?.id ?? wallet.id}
          wallet={wallet}
          isInstalled={connector !== undefined || connectorOf(connectors, wallet) !== undefined}
          isOnPublicRelay={pairing !== undefined && needsPublicRelay(wallet, pairing)}
          disabled={blocked}
          onSelect={() =>
            connector
              ? selectConnector(hawser, connector)
              : selectWallet(hawser, wallet, isPhone() ? 'mobile' : 'qrcode')
          }
        />
      ))}
    </ul>
  )
}

/** Placeholders of the first page, or as many as there are wallets, so that the height of the card changes once. */
const FIRST_TILES = 40
const FOUND_TILES = 16

interface MoreWalletsProps {
  isFirst: boolean
  query: string
  isLoading: boolean
}

/** Placeholders at the end of the grid; the next page is read when they are scrolled into view. */
function MoreWallets({ isFirst, query, isLoading }: MoreWalletsProps) {
  const texts = usePairingTexts().all
  const hawser = useHawser()
  const offered = useHawserState(hawser.directory, (state) => state.count) ?? FIRST_TILES
  const first = query ? FOUND_TILES : Math.min(FIRST_TILES, offered)
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = end.current
    if (!element) return
    if (typeof IntersectionObserver !== 'function') return void fetchMoreWallets(hawser)
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) void fetchMoreWallets(hawser)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [hawser])
  return (
    <div ref={end} role="status" aria-busy={isLoading}>
      <span className="hw-visually-hidden">{isFirst ? texts.loading : texts.loadingMore}</span>
      <TileSkeletons count={isFirst ? first : 4} />
    </div>
  )
}

function LoadFailure() {
  const texts = usePairingTexts().all
  const baseTexts = useTexts()
  const hawser = useHawser()
  return (
    <EmptyState
      tone="error"
      icon={<AlertIcon size={26} />}
      title={texts.errorTitle}
      action={
        <Button size="small" data-testid="wallets-retry" onClick={() => void fetchMoreWallets(hawser)}>
          {baseTexts.tryAgain}
        </Button>
      }
    >
      {texts.errorText}
    </EmptyState>
  )
}

function uniqueById(wallets: readonly SelectedWallet[]): readonly SelectedWallet[] {
  return [...new Map(wallets.map((wallet) => [wallet.id, wallet])).values()]
}
