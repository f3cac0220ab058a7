import { plainText } from '@hawser/client'
import { onNetwork } from '../chain/activeNetwork.ts'
import { unknownProfile, updateRecord } from '../chain/chainState.ts'
import { preferredAccountType, selectAccount } from '../chain/selectors.ts'
import { resetNames, resetOwnNames } from '../names/draft.ts'
import { resetSend } from '../send/draft.ts'
import { chosenAccountItem } from '../storage/items.ts'
import type { AccountEntry, AccountState } from '../types/account.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace } from '../types/network.ts'

type AccountFields = Pick<AccountState, 'address' | 'addressLabels' | 'allAccounts' | 'shouldUpdateToAddress'>

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
  if (!allAccounts.some((entry) => isSame(hawser, namespace, entry.address, address))) return
  hawser.storage.write(chosenAccountItem(namespace), address)
  takeAccounts(hawser, namespace, allAccounts)
}

/**
 * Sets the accounts that a wallet grants. When the active account changes, what was read of the old one is cleared. The
 * draft of a send stays if the wallet's namespace is not the active one.
 */
export function takeAccounts(hawser: Hawser, namespace: Namespace, accounts: readonly AccountEntry[]): void {
  const fields = accountFields(hawser, namespace, accounts)
  const { address: before } = selectAccount(hawser.chain.getState(), namespace)
  const isKept = isSame(hawser, namespace, before, fields.address)
  const isActive = hawser.chain.getState().activeChain === namespace
  if (!isKept && isActive) hawser.latest.abandon('balance')
  updateRecord(hawser.chain, namespace, (record) => {
    const accountState = { ...record.accountState, ...(!isKept && unknownProfile), ...fields }
    const moved = { ...record, accountState }
    const { caipNetwork } = record.networkState
    return caipNetwork ? onNetwork(moved, caipNetwork, !isKept) : moved
  })
  if (isKept) return
  resetNames(hawser)
  resetOwnNames(hawser)
  if (!isActive) return
  resetSend(hawser)
  hawser.report({ kind: 'accountChanged' })
}

/**
 * Returns the active account: the visitor's choice while the wallet grants it, otherwise the wallet's first of the
 * preferred type.
 */
export function accountFields(
  hawser: Hawser,
  namespace: Namespace,
  accounts: readonly AccountEntry[],
): AccountFields {
  const item = chosenAccountItem(namespace)
  const stored = hawser.storage.read<string>(item)
  const chosen = accounts.find(({ address }) => isSame(hawser, namespace, address, stored))?.address
  if (stored && !chosen) hawser.storage.remove(item)
  const { addressLabels } = selectAccount(hawser.chain.getState(), namespace)
  return {
    address: chosen ?? firstOf(hawser, namespace, accounts)?.address,
    addressLabels: new Map([...labelsOf(accounts), ...addressLabels]),
    allAccounts: accounts,
    shouldUpdateToAddress: chosen,
  }
}

function firstOf(hawser: Hawser, namespace: Namespace, accounts: readonly AccountEntry[]) {
  const preferred = preferredAccountType(hawser, namespace)
  return accounts.find(({ type }) => type === preferred) ?? accounts[0]
}

/** Returns the wallet's own names of accounts; a name that an account registered takes precedence. */
function labelsOf(accounts: readonly AccountEntry[]): readonly (readonly [string, string])[] {
  return accounts.flatMap(({ address, label }) =>
    label ? [[address, plainText(label).trim()] as const] : [],
  )
}

/** Base58 addresses that differ in case alone are not in use together. */
function isSame(
  { adapters }: Hawser,
  namespace: Namespace,
  a: string | undefined,
  b: string | undefined,
): boolean {
  if (a?.toLowerCase() === b?.toLowerCase()) return true
  return Boolean(a && b && adapters.get(namespace)?.isSameAccount?.(a, b))
}
