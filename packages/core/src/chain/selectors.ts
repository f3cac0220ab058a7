import { thrownEarly } from '../errors/thrownEarly.ts'
import type { AccountState, AccountType } from '../types/account.ts'
import type { Hawser } from '../types/hawser.ts'
import type { CaipNetworkId, Namespace, Network } from '../types/network.ts'
import type { OptionsState } from '../types/options.ts'
import type { ServedFeatures } from '../types/servedFeatures.ts'
import type { ChainState } from '../types/state.ts'
import { emptyAccount } from './chainState.ts'

const none: readonly Network[] = []

/** Returns the account of a namespace, by default of the active one; an empty account for an unknown namespace. */
export function selectAccount(state: ChainState, namespace: Namespace = state.activeChain): AccountState {
  return state.chains.get(namespace)?.accountState ?? emptyAccount
}

/** Reports whether an account pays. The address that a Bitcoin wallet keeps ordinals at does not: they would be spent as bitcoin. */
export function isPaying({ address, allAccounts }: Pick<AccountState, 'address' | 'allAccounts'>): boolean {
  return allAccounts.find((account) => account.address === address)?.type !== 'ordinal'
}

/** Returns the account type of a namespace: the visitor's choice, or else the site's default. */
export function preferredAccountType(hawser: Hawser, namespace: Namespace): AccountType {
  const { preferredAccountTypes } = selectAccount(hawser.chain.getState(), namespace)
  return preferredAccountTypes[namespace] ?? hawser.options.getState().defaultAccountTypes[namespace]
}

/** Returns the network of a namespace, by default of the active one. */
export function selectNetwork(
  state: ChainState,
  namespace: Namespace = state.activeChain,
): Network | undefined {
  return state.chains.get(namespace)?.networkState.caipNetwork
}

/**
 * Returns the network of a namespace.
 *
 * @throws Error "Chain is required to update chain account data" when the site lists none of the namespace.
 */
export function requireNetworkOf(state: ChainState, namespace: Namespace): Network {
  const network = selectNetwork(state, namespace)
  if (!network) throw new Error(thrownEarly.chainRequired)
  return network
}

/** Returns the networks that the site lists, in its order; see `approvedFirst`. */
export function selectRequestedNetworks(
  state: ChainState,
  namespace: Namespace = state.activeChain,
): readonly Network[] {
  return state.chains.get(namespace)?.networkState.requestedCaipNetworks ?? none
}

/** Sorts the networks that a wallet session allows before the others, and keeps the order otherwise. */
export function approvedFirst(
  requested: readonly Network[],
  approved: readonly CaipNetworkId[] | undefined,
): readonly Network[] {
  if (!approved) return requested
  const isApproved = (network: Network) => approved.includes(network.caipNetworkId)
  return [...requested.filter(isApproved), ...requested.filter((network) => !isApproved(network))]
}

/** Reports whether the connected wallet refuses a network: its session neither lists it nor can be extended. */
export function isNetworkRestricted(state: ChainState, { caipNetworkId, chainNamespace }: Network): boolean {
  const { supportsAllNetworks = true, approvedCaipNetworkIds } =
    state.chains.get(chainNamespace)?.networkState ?? {}
  return !supportsAllNetworks && !approvedCaipNetworkIds?.includes(caipNetworkId)
}

/** Reports whether the site lists the active network, or lists none at all. */
export function isActiveNetworkRequested(state: ChainState): boolean {
  const requested = selectRequestedNetworks(state)
  if (requested.length === 0) return true
  return requested.some(({ caipNetworkId }) => caipNetworkId === state.activeCaipNetwork?.caipNetworkId)
}

/** Reports whether the visitor has to switch networks before anything else. */
export function isNetworkRefused(state: ChainState, options: OptionsState): boolean {
  const { enableNetworkSwitch, allowUnsupportedChain, wcBasic } = options
  return enableNetworkSwitch && !allowUnsupportedChain && !wcBasic && !isActiveNetworkRequested(state)
}

/** Reports whether balances and history of a network can be read, as far as is known. Bitcoin has a service of its own. */
export function isNetworkServed(
  { chains }: ServedFeatures,
  { chainNamespace, caipNetworkId }: Network,
): boolean {
  return chainNamespace === 'bip122' || chains === undefined || chains.includes(caipNetworkId)
}
