import {
  FEATURED_WALLETS,
  MIN_SEARCH_LENGTH,
  RECOMMENDED_WALLETS,
  SEARCH_WALLETS,
  WALLETS_PER_PAGE,
} from '../limits.ts'
import type { DirectoryState, DirectoryWallet, WalletPages } from '../types/directory.ts'
import type { Hawser } from '../types/hawser.ts'
import { initialDirectory, noPages } from './initialDirectory.ts'
import { offeredReach } from './offered.ts'
import { readWallets, type WalletPage, type WalletQuery } from './readWallets.ts'

/**
 * Reads the featured and the recommended wallets, once: what has been read is kept, and a failure is retried by the
 * next call. Recommended are wallets that can be reached from here. Never throws: without the directory the connectors
 * are still listed.
 */
export async function fetchOfferedWallets(hawser: Hawser): Promise<void> {
  takeNamespace(hawser)
  if (hawser.directory.getState().count !== undefined) return
  await hawser.latest.share('directory/offered', '', async ({ isCurrent, signal }) => {
    const { featuredWalletIds: ids } = hawser.options.getState()
    const others = { ...siteFilter(hawser, ids), reach: offeredReach(hawser) }
    try {
      const [featured, recommended] = await Promise.all([
        ids.length > 0 && readWallets(hawser, { page: 1, entries: FEATURED_WALLETS, include: ids }, signal),
        readWallets(hawser, { page: 1, entries: RECOMMENDED_WALLETS, ...others }, signal),
      ])
      if (!isCurrent()) return
      const inOrder = ids.flatMap((id) =>
        featured ? featured.wallets.filter((wallet) => wallet.id === id) : [],
      )
      hawser.directory.setState({
        featured: inOrder,
        recommended: recommended.wallets,
        count: recommended.count + inOrder.length,
      })
    } catch (error) {
      hawser.log.write('warn', 'the wallet directory could not be read', { error: String(error) })
    }
  })
}

/**
 * Reads the next page of the wallets that can be reached from here, or of what is searched for. Does nothing while one
 * is read, or after the last.
 */
export async function fetchMoreWallets(hawser: Hawser): Promise<void> {
  takeNamespace(hawser)
  const { query } = hawser.directory.getState()
  const key = query ? 'found' : 'all'
  const { page, wallets, count, isLoading } = hawser.directory.getState()[key]
  if (isLoading || (count !== undefined && wallets.length >= count)) return
  await readPage(hawser, key, page + 1)
}

/**
 * Searches the directory by name; two letters at least. Wallets that cannot be reached from here are found too. An empty
 * query shows the whole list again.
 *
 * @param isCertifiedOnly limits the list to wallets with the badge.
 */
export async function searchWallets(hawser: Hawser, query: string, isCertifiedOnly = false): Promise<void> {
  const wanted = query.trim()
  const search = wanted.length < MIN_SEARCH_LENGTH ? '' : wanted
  takeNamespace(hawser)
  const state = hawser.directory.getState()
  if (search === state.query && isCertifiedOnly === state.isCertifiedOnly) return
  hawser.latest.abandon('directory/page')
  hawser.directory.setState({
    query: search,
    isCertifiedOnly,
    found: noPages,
    all: isCertifiedOnly === state.isCertifiedOnly ? { ...state.all, isLoading: false } : noPages,
  })
  if (search) {
    hawser.events.emit({
      event: 'SEARCH_WALLET',
      properties: { badge: isCertifiedOnly ? 'certified' : 'none', search },
    })
  }
  const { all, found } = hawser.directory.getState()
  if (search ? found.page === 0 : all.page === 0) await fetchMoreWallets(hawser)
}

/** Drops what was read for the networks of another namespace. */
function takeNamespace(hawser: Hawser): void {
  const { activeChain: namespace } = hawser.chain.getState()
  const { namespace: before, query, isCertifiedOnly } = hawser.directory.getState()
  if (before !== undefined && before !== namespace) {
    hawser.latest.abandon('directory')
    hawser.directory.setState({ ...initialDirectory, query, isCertifiedOnly })
  }
  hawser.directory.setState({ namespace })
}

async function readPage(hawser: Hawser, key: 'all' | 'found', page: number): Promise<void> {
  const { isCurrent, signal } = hawser.latest.begin('directory/page')
  const { query, isCertifiedOnly } = hawser.directory.getState()
  update(hawser, key, { isLoading: true, hasFailed: false })
  try {
    const entries = query ? SEARCH_WALLETS : WALLETS_PER_PAGE
    const filter = { page, entries, isCertifiedOnly, ...siteFilter(hawser) }
    const wanted = query ? { search: query } : { reach: offeredReach(hawser) }
    const read = await readWallets(hawser, { ...filter, ...wanted }, signal)
    if (isCurrent()) put(hawser, key, read, page)
  } catch {
    if (isCurrent()) update(hawser, key, { isLoading: false, hasFailed: true })
  }
}

function put(hawser: Hawser, key: 'all' | 'found', { wallets, count }: WalletPage, page: number): void {
  const before = hawser.directory.getState()[key].wallets
  const merged = uniqueById([...before, ...wallets])
  // A page without new wallets is the last one, whatever the count says.
  const isLast = merged.length === before.length
  update(hawser, key, { wallets: merged, count: isLast ? merged.length : count, page, isLoading: false })
}

function update(hawser: Hawser, key: 'all' | 'found', change: Partial<WalletPages>): void {
  hawser.directory.setState((state): Partial<DirectoryState> => ({ [key]: { ...state[key], ...change } }))
}

/** Returns the filter of a request: what the site includes and excludes, and what is listed already. */
function siteFilter(
  hawser: Hawser,
  listed: readonly string[] = [],
): Pick<WalletQuery, 'include' | 'exclude'> {
  const { includeWalletIds, excludeWalletIds } = hawser.options.getState()
  return { include: includeWalletIds, exclude: [...excludeWalletIds, ...listed] }
}

function uniqueById(wallets: readonly DirectoryWallet[]): readonly DirectoryWallet[] {
  return [...new Map(wallets.map((wallet) => [wallet.id, wallet])).values()]
}
