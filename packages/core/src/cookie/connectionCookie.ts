import { onNetwork } from '../chain/activeNetwork.ts'
import { emptyAccount, mirrorActive, updateRecord, withIsConnected } from '../chain/chainState.ts'
import { reconnectingNamespaces } from '../connection/reconnecting.ts'
import { unknownNetwork } from '../network/network.ts'
import type { ConnectionCookie, SavedConnection, SavedInstance } from '../types/connectionCookie.ts'
import type { CaipNetworkId, Namespace, Network } from '../types/network.ts'
import type { ChainRecord, ChainState } from '../types/state.ts'
import { formatCookie } from './savedConnection.ts'

/**
 * Keeps the addresses, names and network of the visitor in a cookie, so that a server renders their page as it will
 * be: `createHawser({ connectionCookie: connectionCookie(saved), … })`, on the server and in the browser with the same
 * `saved`. Until the wallet is connected again its account has the status `reconnecting`. The cookie has nothing
 * secret, and is deleted with the connection.
 *
 * @param saved what `readConnectionCookie` returned for this request.
 */
export function connectionCookie(saved: SavedConnection | undefined): ConnectionCookie {
  let defaultNetwork: CaipNetworkId | undefined
  const write = createWriter(saved)
  return {
    restore(chain) {
      defaultNetwork = chain.activeCaipNetwork?.caipNetworkId
      return saved ? restore(chain, saved) : chain
    },

    start(hawser, readAccount) {
      if (typeof document === 'undefined') return () => undefined
      const follow = (state: ChainState, before: ChainState) => {
        clearGone(hawser)
        if (hasReturned(state, before)) queueMicrotask(readAccount)
        write(hawser.chain.getState(), defaultNetwork)
      }
      const state = hawser.chain.getState()
      follow(state, state)
      return hawser.chain.subscribe(follow)
    },
  }
}

function restore(chain: ChainState, { network, accounts }: SavedConnection): ChainState {
  const chains = new Map(chain.chains)
  const moveTo = (id: CaipNetworkId, change: Partial<ChainRecord['accountState']> = {}) => {
    const namespace = namespaceOf(id)
    const record = chains.get(namespace)
    if (!record) return
    const changed = withIsConnected({ ...record, accountState: { ...record.accountState, ...change } })
    chains.set(namespace, onNetwork(changed, networkOf(record, id), false))
  }
  for (const { caipAddress, name: profileName } of accounts) {
    const at = caipAddress.lastIndexOf(':')
    const address = caipAddress.slice(at + 1)
    moveTo(caipAddress.slice(0, at) as CaipNetworkId, { address, profileName, status: 'reconnecting' })
  }
  moveTo(network)
  const namespace = namespaceOf(network)
  return mirrorActive({
    ...chain,
    chains,
    activeChain: chains.has(namespace) ? namespace : chain.activeChain,
  })
}

function networkOf({ caipNetworks }: ChainRecord, id: CaipNetworkId): Network {
  return caipNetworks.find(({ caipNetworkId }) => caipNetworkId === id) ?? unknownNetwork(id)
}

function namespaceOf(id: CaipNetworkId): Namespace {
  return id.split(':')[0] as Namespace
}

/** Clears restored accounts whose wallet is no longer being reconnected, or was never connected in this browser. */
function clearGone(hawser: SavedInstance): void {
  const reconnecting = reconnectingNamespaces(hawser)
  for (const { namespace, accountState } of hawser.chain.getState().chains.values()) {
    const { address, status } = accountState
    if (!address || hawser.sessions.has(namespace) || status === 'connecting') continue
    if (status === 'reconnecting' && reconnecting.includes(namespace)) continue
    updateRecord(hawser.chain, namespace, (record) => ({ ...record, accountState: emptyAccount }))
  }
}

/** Reports whether the active account was reconnected with the same address, a change that mounting does not follow. */
function hasReturned(state: ChainState, before: ChainState): boolean {
  const [now, then] = [state, before].map(({ chains, activeChain }) => chains.get(activeChain)?.accountState)
  const isConnected = now?.status === 'connected' && then?.status !== 'connected'
  return isConnected && now.address !== undefined && now.address === then?.address
}

/** Returns a function that writes the cookie when its content changes. */
function createWriter(saved: SavedConnection | undefined) {
  let written = JSON.stringify(saved)
  return (state: ChainState, defaultNetwork: CaipNetworkId | undefined): void => {
    if (isUnknown(state)) return
    const connection = connectionOf(state)
    const isDefault = connection?.accounts.length === 0 && connection.network === defaultNetwork
    const next = isDefault ? undefined : connection
    const text = JSON.stringify(next)
    if (text === written) return
    written = text
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API would write it after the page is left
    document.cookie = formatCookie(next, location.protocol === 'https:')
  }
}

/** Reports whether a wallet is being reconnected whose account is not known yet. */
function isUnknown({ chains }: ChainState): boolean {
  return [...chains.values()].some(
    ({ accountState: { status, address } }) => status === 'reconnecting' && !address,
  )
}

function connectionOf({ chains, activeCaipNetwork }: ChainState): SavedConnection | undefined {
  if (!activeCaipNetwork) return undefined
  const accounts = [...chains.values()].flatMap(({ accountState }) => {
    const { caipAddress, profileName: name, connectedWalletInfo } = accountState
    return caipAddress && !connectedWalletInfo?.endsWithTab ? [{ caipAddress, ...(name && { name }) }] : []
  })
  return { network: activeCaipNetwork.caipNetworkId, accounts }
}
