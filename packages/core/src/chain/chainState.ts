import type { StoreApi } from 'zustand/vanilla'
import { thrownEarly } from '../errors/thrownEarly.ts'
import type { AccountState } from '../types/account.ts'
import type { Namespace, Network } from '../types/network.ts'
import type { ChainRecord, ChainState } from '../types/state.ts'

export type ChainStore = StoreApi<ChainState>

export const emptyAccount: AccountState = {
  caipAddress: undefined,
  address: undefined,
  isConnected: false,
  status: 'disconnected',
  balance: undefined,
  balanceSymbol: undefined,
  balanceLoading: false,
  profileName: undefined,
  profileImage: undefined,
  user: undefined,
  addressExplorerUrl: undefined,
  smartAccountDeployed: false,
  currentTab: 0,
  tokenBalance: [],
  tokenBalanceLoading: false,
  tokenBalanceLoaded: false,
  isTokenBalancePartial: false,
  lastRetry: undefined,
  allAccounts: [],
  addressLabels: new Map(),
  connectedWalletInfo: undefined,
  preferredAccountTypes: {},
  socialProvider: undefined,
  socialWindow: undefined,
  farcasterUrl: undefined,
  shouldUpdateToAddress: undefined,
}

/** The fields that are read again when the address or the network changes. */
export const unreadBalances = {
  balance: undefined,
  balanceSymbol: undefined,
  balanceLoading: false,
  tokenBalance: [],
  tokenBalanceLoading: false,
  tokenBalanceLoaded: false,
  isTokenBalancePartial: false,
  lastRetry: undefined,
} satisfies Partial<AccountState>

/** The fields that are read again when the address changes. */
export const unknownProfile = {
  profileName: undefined,
  profileImage: undefined,
} satisfies Partial<AccountState>

/** Returns the initial state: the site's default network and no account. */
export function initialChain(networks: readonly Network[], defaultNetwork: Network): ChainState {
  const namespaces = new Set(networks.map(({ chainNamespace }) => chainNamespace))
  const chains = new Map<Namespace, ChainRecord>()
  for (const namespace of namespaces) {
    const ofNamespace = networks.filter(({ chainNamespace }) => chainNamespace === namespace)
    const first = defaultNetwork.chainNamespace === namespace ? defaultNetwork : ofNamespace[0]
    chains.set(namespace, initialRecord(namespace, ofNamespace, first))
  }
  return {
    chains,
    activeChain: defaultNetwork.chainNamespace,
    activeCaipNetwork: defaultNetwork,
    activeCaipAddress: undefined,
    isSwitchingNamespace: false,
  }
}

function initialRecord(
  namespace: Namespace,
  networks: readonly Network[],
  caipNetwork: Network | undefined,
): ChainRecord {
  return {
    namespace,
    caipNetworks: networks,
    networkState: {
      caipNetwork,
      supportsAllNetworks: true,
      approvedCaipNetworkIds: undefined,
      requestedCaipNetworks: networks,
      smartAccountEnabledNetworks: [],
    },
    accountState: emptyAccount,
  }
}

/**
 * Changes some fields of the account of one namespace.
 *
 * @throws Error "Chain is required to update chain account data" for a namespace that the site has no network of.
 */
export function updateAccount(chain: ChainStore, namespace: Namespace, change: Partial<AccountState>): void {
  if (!chain.getState().chains.has(namespace)) throw new Error(thrownEarly.chainRequired)
  updateRecord(chain, namespace, (record) => ({
    ...record,
    accountState: { ...record.accountState, ...change },
  }))
}

/** Makes `namespace` active, on the network that it was last on. */
export function activateNamespace(chain: ChainStore, namespace: Namespace): void {
  chain.setState((state) => {
    if (!state.chains.has(namespace)) return state
    const isSwitchingNamespace = state.activeChain !== namespace
    return mirrorActive({ ...state, activeChain: namespace, isSwitchingNamespace })
  })
}

/** Replaces the record of one namespace. */
export function updateRecord(
  chain: ChainStore,
  namespace: Namespace,
  change: (record: ChainRecord) => ChainRecord,
): void {
  chain.setState((state) => {
    const record = state.chains.get(namespace)
    if (!record) return state
    const changed = withIsConnected(change(record))
    return mirrorActive({ ...state, chains: new Map(state.chains).set(namespace, changed) })
  })
}

/** Sets the field that follows from the address. */
export function withIsConnected(record: ChainRecord): ChainRecord {
  const isConnected = record.accountState.address !== undefined
  if (isConnected === record.accountState.isConnected) return record
  return { ...record, accountState: { ...record.accountState, isConnected } }
}

/** Copies the network and address of the active namespace to the top level. */
export function mirrorActive(state: ChainState): ChainState {
  const active = state.chains.get(state.activeChain)
  return {
    ...state,
    activeCaipNetwork: active?.networkState.caipNetwork,
    activeCaipAddress: active?.accountState.caipAddress,
  }
}
