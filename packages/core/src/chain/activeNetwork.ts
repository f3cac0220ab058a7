import { addressExplorerUrl } from '../network/network.ts'
import { resetSend } from '../send/draft.ts'
import { items, networkItem } from '../storage/items.ts'
import type { Hawser } from '../types/hawser.ts'
import type { CaipAddress, Namespace, Network } from '../types/network.ts'
import type { ChainRecord } from '../types/state.ts'
import { activateNamespace, unreadBalances, updateRecord } from './chainState.ts'
import { isNetworkRefused, selectNetwork } from './selectors.ts'

/**
 * Makes `network` the active one without a request to the wallet; see `switchNetwork` for that. Clears what was read
 * on the old network and the send draft, and reports a network that the site does not list.
 */
export function setActiveNetwork(hawser: Hawser, network: Network): void {
  const before = hawser.chain.getState()
  const namespace = network.chainNamespace
  if (!before.chains.has(namespace)) return
  const isSame = before.activeCaipNetwork?.caipNetworkId === network.caipNetworkId
  const isMove = selectNetwork(before, namespace)?.caipNetworkId !== network.caipNetworkId

  if (!isSame) hawser.latest.abandon('balance')
  updateRecord(hawser.chain, namespace, (record) => onNetwork(record, network, isMove))
  activateNamespace(hawser.chain, namespace)
  hawser.storage.write(items.activeNamespace, namespace)
  hawser.storage.write(networkItem(namespace), network.caipNetworkId)
  hawser.storage.write(items.activeNetworkId, network.caipNetworkId)
  if (!isSame) resetSend(hawser)
  if (isNetworkRefused(hawser.chain.getState(), hawser.options.getState()))
    hawser.report({ kind: 'networkRefused' })
}

/** Makes a namespace active, on the network that it was last on. Does nothing for one that the site does not list. */
export function switchNamespace(hawser: Hawser, namespace: Namespace): void {
  const state = hawser.chain.getState()
  const network = selectNetwork(state, namespace)
  if (network && state.activeChain !== namespace) setActiveNetwork(hawser, network)
}

/** Returns a namespace's record with its account on `network`; `isMove` clears what was read on another one. */
export function onNetwork(record: ChainRecord, network: Network, isMove: boolean): ChainRecord {
  const { address } = record.accountState
  return {
    ...record,
    networkState: { ...record.networkState, caipNetwork: network },
    accountState: {
      ...record.accountState,
      ...(isMove && unreadBalances),
      caipAddress: address ? (`${network.caipNetworkId}:${address}` as CaipAddress) : undefined,
      addressExplorerUrl: address ? addressExplorerUrl(network, address) : undefined,
    },
  }
}
