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
