import { updateAccount } from '../chain/chainState.ts'
import { preferredAccountType, selectAccount } from '../chain/selectors.ts'
import type { Hawser } from '../types/hawser.ts'

const ACTIVITY_TAB = 2

/**
 * Selects a tab of the account view.
 *
 * @param currentTab 0 Tokens, 1 NFTs, 2 Activity, 3 Access.
 */
export function setAccountTab(hawser: Hawser, currentTab: number): void {
  updateAccount(hawser.chain, hawser.chain.getState().activeChain, { currentTab })
  if (currentTab === ACTIVITY_TAB) hawser.events.emit({ event: 'CLICK_TRANSACTIONS' })
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
