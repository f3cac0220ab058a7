import { updateAccount } from '../chain/chainState.ts'
import { preferredAccountType, selectAccount } from '../chain/selectors.ts'
import { toast } from '../errors/messages.ts'
import type { Hawser } from '../types/hawser.ts'

const ACTIVITY_TAB = 2

/**
 * Selects a tab of the account view.
 *
 * @param currentTab 0 Tokens, 1 NFTs, 2 Activity.
 */
export function setAccountTab(hawser: Hawser, currentTab: number): void {
  updateAccount(hawser.chain, hawser.chain.getState().activeChain, { currentTab })
  if (currentTab === ACTIVITY_TAB) hawser.events.emit({ event: 'CLICK_TRANSACTIONS' })
}

/** Copies the active address to the clipboard, and reports whether that worked. */
export async function copyAddress(hawser: Hawser): Promise<boolean> {
  const { address } = selectAccount(hawser.chain.getState())
  if (!address) return false
  try {
    await globalThis.navigator.clipboard.writeText(address)
  } catch {
    hawser.report({ kind: 'addressNotCopied', ...toast('copyFailed') })
    return false
  }
  hawser.report({ kind: 'addressCopied', ...toast('addressCopied') })
  return true
}

/** Reports whether the active account is a smart account of an embedded wallet. */
export function isSmartAccount(hawser: Hawser): boolean {
  const { activeChain } = hawser.chain.getState()
  const { connectedWalletInfo, user } = selectAccount(hawser.chain.getState())
  // The wallet knows whether its account is one on this network.
  const type = user?.preferredAccountType ?? preferredAccountType(hawser, activeChain)
  return connectedWalletInfo?.type === 'AUTH' && type === 'smartAccount'
}

/** Shortens an address to `0x1234…abcd`. A text that would not get shorter is returned whole. */
export function shortenAddress(address: string, { start = 6, end = 4 } = {}): string {
  if (address.length <= start + end + 1) return address
  return `${address.slice(0, start)}…${address.slice(-end)}`
}
