import type { AccountState } from '../types/account.ts'
import type { CaipNetworkId, Namespace, Network } from '../types/network.ts'
import type { OptionsState } from '../types/options.ts'
import type { ChainState } from '../types/state.ts'
import { emptyAccount } from './chainState.ts'

const none: readonly Network[] = []

/** The account of a namespace, of the active one by default; an empty one when there is no such namespace. */
export function selectAccount(state: ChainState, namespace: Namespace = state.activeChain): AccountState {
  return state.chains.get(namespace)?.accountState ?? emptyAccount
}

/** The network a namespace is on, the active namespace by default. */
export function selectNetwork(
  state: ChainState,
  namespace: Namespace = state.activeChain,
): Network | undefined {
  return state.chains.get(namespace)?.networkState.caipNetwork
}

/** The networks the site asked for, in the site's order; see `approvedFirst`. */
export function selectRequestedNetworks(
  state: ChainState,
  namespace: Namespace = state.activeChain,
): readonly Network[] {
  return state.chains.get(namespace)?.networkState.requestedCaipNetworks ?? none
}

/** Sorts the networks a wallet session allows before the others; the order is kept otherwise. */
export function approvedFirst(
  requested: readonly Network[],
  approved: readonly CaipNetworkId[] | undefined,
): readonly Network[] {
  if (!approved) return requested
  const isApproved = (network: Network) => approved.includes(network.caipNetworkId)
  return [...requested.filter(isApproved), ...requested.filter((network) => !isApproved(network))]
}

/** True when the active network is one the site asked for, or when the site asked for none. */
export function isActiveNetworkRequested(state: ChainState): boolean {
  const requested = selectRequestedNetworks(state)
  if (requested.length === 0) return true
  return requested.some(({ caipNetworkId }) => caipNetworkId === state.activeCaipNetwork?.caipNetworkId)
}

/** True when the visitor has to switch networks before anything else. */
export function isNetworkRefused(state: ChainState, options: OptionsState): boolean {
  return options.enableNetworkSwitch && !options.allowUnsupportedChain && !isActiveNetworkRequested(state)
}
