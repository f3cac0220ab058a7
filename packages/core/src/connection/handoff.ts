import { items } from '../storage/items.ts'
import type { DeepLink, Handoff, RecentWallet } from '../types/connector.ts'
import type { Hawser } from '../types/hawser.ts'
import { openInWalletUrl } from '../walletLinks/walletLinks.ts'

/**
 * Shows the digits of a hand-off once its page is open in a wallet, and then whether another device opened it too. The digits of
 * a page that is opened later are not shown.
 */
export function followHandoff(
  hawser: Hawser,
  { digits, secondScan, confirm }: Handoff,
  isCurrent: () => boolean,
): void {
  const show = (known: string) => {
    if (!isCurrent() || hawser.connection.getState().handoff) return
    const handoff = { digits: known, hasSecondScan: false, isConfirmed: false, confirm }
    hawser.connection.setState({ handoff })
    void secondScan.then(warn)
  }
  const warn = () => {
    const { handoff } = hawser.connection.getState()
    if (handoff?.confirm === confirm)
      hawser.connection.setState({ handoff: { ...handoff, hasSecondScan: true } })
  }
  digits.then(show, () => undefined)
}

/** Returns the URL that opens the page of a hand-off in the wallet's browser: that of the page for a wallet without a link. */
export function handoffUrl({ browserLink }: Pick<RecentWallet, 'browserLink'>, page: string): string {
  return (browserLink && openInWalletUrl({ open: browserLink }, page)) || page
}

/** Says that the digits of the hand-off are those on the wallet's screen. It connects once that is said there too. */
export function confirmHandoff(hawser: Hawser): void {
  const { handoff } = hawser.connection.getState()
  if (!handoff || handoff.isConfirmed) return
  handoff.confirm()
  hawser.connection.setState({ handoff: { ...handoff, isConfirmed: true } })
}

/**
 * Stores the link that opens the page of a hand-off again, once the wallet is connected by one; removes that of the
 * wallet before otherwise.
 *
 * @param page URL of the hand-off.
 */
export function endHandoff(hawser: Hawser, page: string | undefined, wallet: RecentWallet | undefined): void {
  hawser.storage.remove(items.handoffLink)
  if (!hawser.connection.getState().handoff || !page) return
  const link = { href: wallet ? handoffUrl(wallet, page) : page, name: wallet?.name ?? '' }
  hawser.storage.write(items.handoffLink, link)
}

/** Returns the link that opens the page of the connected wallet again; undefined if it was not connected by a hand-off. */
export function handoffLink({ storage }: Pick<Hawser, 'storage'>): DeepLink | undefined {
  const stored = storage.read<Partial<DeepLink> | null>(items.handoffLink)
  const isLink = typeof stored?.name === 'string' && /^https?:/.test(String(stored.href))
  return isLink ? (stored as DeepLink) : undefined
}
