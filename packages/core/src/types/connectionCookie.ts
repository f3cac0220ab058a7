import type { StoreApi } from 'zustand/vanilla'
import type { HawserStorage } from '../storage/hawserStorage.ts'
import type { CaipAddress, CaipNetworkId, Namespace } from './network.ts'
import type { ChainState } from './state.ts'

/** The part of a visitor's state that the first paint of a page shows. All of it is public. */
export interface SavedConnection {
  /** CAIP-2 id of the active network. */
  readonly network: CaipNetworkId
  /** The account of each namespace that is connected. */
  readonly accounts: readonly SavedAccount[]
}

export interface SavedAccount {
  /** CAIP-10. */
  readonly caipAddress: CaipAddress
  /** The name that the account is shown by, if it has one. */
  readonly name?: string
}

/** The part of an instance that is saved. */
export interface SavedInstance {
  readonly chain: StoreApi<ChainState>
  readonly storage: HawserStorage
  /** The wallets in use. */
  readonly sessions: Pick<ReadonlyMap<Namespace, unknown>, 'has'>
}

/** Keeps the connection in a cookie, for pages that a server renders; see `connectionCookie` of `@hawser/core/cookie`. */
export interface ConnectionCookie {
  /** Returns the initial state with what was saved: its accounts are `reconnecting`. */
  restore(chain: ChainState): ChainState
  /**
   * Follows a mounted instance; returns a function that stops it.
   *
   * @param readAccount reads what is shown of the active account.
   */
  start(instance: SavedInstance, readAccount: () => void): () => void
}
