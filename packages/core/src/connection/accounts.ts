import { onNetwork } from '../chain/activeNetwork.ts'
import { unknownProfile, updateRecord } from '../chain/chainState.ts'
import { selectAccount } from '../chain/selectors.ts'
import { resetNames, resetOwnNames } from '../names/draft.ts'
import { resetSend } from '../send/draft.ts'
import { chosenAccountItem } from '../storage/items.ts'
import type { AccountState } from '../types/account.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace } from '../types/network.ts'

type AccountFields = Pick<AccountState, 'address' | 'allAccounts' | 'shouldUpdateToAddress'>

/**
 * Switches to another account that the wallet grants. The choice is stored and kept for as long as the wallet grants
 * the account. Does nothing for an account that it does not grant.
 */
export function chooseAccount(
  hawser: Hawser,
  address: string,
  namespace: Namespace = hawser.chain.getState().activeChain,
): void {
  const { allAccounts } = selectAccount(hawser.chain.getState(), namespace)
  if (!allAccounts.some((entry) => isSame(entry.address, address))) return
  hawser.storage.write(chosenAccountItem(namespace), address)
  takeAccounts(
    hawser,
    namespace,
    allAccounts.map((entry) => entry.address),
  )
}

/**
 * Sets the accounts that a wallet grants. When the active account changes, what was read of the old one is cleared.
 */
export function takeAccounts(hawser: Hawser, namespace: Namespace, accounts: readonly string[]): void {
  const fields = accountFields(hawser, namespace, accounts)
  const isKept = isSame(selectAccount(hawser.chain.getState(), namespace).address, fields.address)
  if (!isKept) hawser.latest.abandon('balance')
  updateRecord(hawser.chain, namespace, (record) => {
    const accountState = { ...record.accountState, ...(!isKept && unknownProfile), ...fields }
    const moved = { ...record, accountState }
    const { caipNetwork } = record.networkState
    return caipNetwork ? onNetwork(moved, caipNetwork, !isKept) : moved
  })
  if (isKept) return
  resetSend(hawser)
  resetNames(hawser)
  resetOwnNames(hawser)
  hawser.report({ kind: 'accountChanged' })
}

/** Returns the active account: the visitor's choice while the wallet grants it, otherwise the wallet's first. */
export function accountFields(
  hawser: Hawser,
  namespace: Namespace,
  accounts: readonly string[],
): AccountFields {
  const item = chosenAccountItem(namespace)
  const stored = hawser.storage.read<string>(item)
  const chosen = stored && accounts.find((address) => isSame(address, stored))
  if (stored && !chosen) hawser.storage.remove(item)
  return {
    address: chosen || accounts[0],
    allAccounts: accounts.map((address) => ({ address, type: 'eoa' })),
    shouldUpdateToAddress: chosen || undefined,
  }
}

function isSame(a: string | undefined, b: string | undefined): boolean {
  return a?.toLowerCase() === b?.toLowerCase()
}
