import type { Gateway } from '@hawser/client'
import type { Transport } from '@hawser/client/connect'
import type { Siwx } from '@hawser/siwe'
import type { StoreApi } from 'zustand/vanilla'
import type { LatestOnly } from '../latestOnly.ts'
import type { LogBuffer } from '../log/log.ts'
import type { Popup } from '../popup/popup.ts'
import type { HawserStorage } from '../storage/hawserStorage.ts'
import type { Timers } from '../timers.ts'
import type { AccessState } from './access.ts'
import type { Connected } from './account.ts'
import type { ActivityState } from './activity.ts'
import type { ChainAdapter, WalletSession } from './adapter.ts'
import type { Connector } from './connector.ts'
import type { ContactsState } from './contacts.ts'
import type { DirectoryState } from './directory.ts'
import type { Clock, Configuration } from './environment.ts'
import type { Events, HawserEvent } from './events.ts'
import type { NamesState, OwnNamesState } from './names.ts'
import type { Namespace } from './network.ts'
import type { NftState } from './nft.ts'
import type { OnrampState } from './onramp.ts'
import type { OptionsState } from './options.ts'
import type { Outcome } from './outcomes.ts'
import type { RouterState } from './router.ts'
import type { ServedFeatures } from './servedFeatures.ts'
import type { SignInState } from './signIn.ts'
import type { SmartSessionsState } from './smartSessions.ts'
import type {
  AlertState,
  ChainState,
  ConnectionState,
  ConnectorsState,
  ModalState,
  PushState,
  SendState,
  ThemeState,
  ToastState,
} from './state.ts'
import type { SwapState } from './swap.ts'

/** One instance: its stores, and what its actions need. Two instances share only the browser's storage. */
export interface Hawser {
  readonly options: StoreApi<OptionsState>
  readonly theme: StoreApi<ThemeState>
  readonly router: StoreApi<RouterState>
  readonly modal: StoreApi<ModalState>
  readonly toast: StoreApi<ToastState>
  readonly alert: StoreApi<AlertState>
  readonly chain: StoreApi<ChainState>
  readonly connection: StoreApi<ConnectionState>
  readonly connectors: StoreApi<ConnectorsState>
  readonly directory: StoreApi<DirectoryState>
  readonly send: StoreApi<SendState>
  readonly swap: StoreApi<SwapState>
  readonly names: StoreApi<NamesState>
  readonly ownNames: StoreApi<OwnNamesState>
  readonly onramp: StoreApi<OnrampState>
  readonly push: StoreApi<PushState>
  readonly activity: StoreApi<ActivityState>
  readonly contacts: StoreApi<ContactsState>
  readonly nfts: StoreApi<NftState>
  readonly access: StoreApi<AccessState>
  readonly signIn: StoreApi<SignInState>
  readonly smartSessions: StoreApi<SmartSessionsState>
  /** What the gateway is configured with; empty until it is read. */
  readonly served: StoreApi<ServedFeatures>
  readonly events: Events
  /**
   * Starts wallet discovery, reconnection and the synchronization with other tabs. Returns a function that stops
   * them. Calls are counted, so that React's strict mode starts one set of listeners.
   */
  mount(): () => void

  // What follows is for actions, not for a site's code.
  /** Reports what an action did; see `modal/flows.ts` for what is shown then. */
  readonly report: (outcome: Outcome) => void
  /** The site's sign-in; undefined without the option `siwx`. */
  readonly siwx: Siwx | undefined
  readonly client: Gateway
  readonly configuration: Configuration
  readonly storage: HawserStorage
  readonly log: LogBuffer
  readonly clock: Clock
  /** The adapters that are loaded; see `adapterOf`. */
  readonly adapters: Map<Namespace, ChainAdapter>
  readonly sessions: Sessions
  readonly connecting: ConnectingState
  /** Namespaces whose wallet is being disconnected. */
  readonly leaving: Set<Namespace>
  readonly checkout: CheckoutState
  readonly following: FollowingState
  readonly gateway: GatewayState
  readonly latest: LatestOnly
  readonly timers: Timers
}

/** Cached data of the gateway. */
export interface GatewayState {
  /** Shared by the clients of all services. */
  transport: Transport | undefined
  /** What the gateway is configured with; see `readServedFeatures`. */
  features: Promise<ServedFeatures> | undefined
}

/** The wallets in use, by namespace. Every way to connect one ends in `open`; what follows then subscribes. */
export interface Sessions extends Map<Namespace, ConnectedSession> {
  /** Keeps the session of a wallet in place of the one before, and calls the subscribers. */
  open(login: Login): void
  /** Calls back when a session is opened. `left` is aborted when it ends. The same listener is added once. */
  subscribe(listener: LoginListener): void
}

export type LoginListener = (hawser: Hawser, login: Login, left: AbortSignal) => void

/** A wallet that was connected, by the visitor or again. */
export interface Login {
  readonly connector: Connector
  readonly session: WalletSession
  /** Whether the wallet's namespace becomes the active one; it does by default. */
  readonly isActive?: boolean
  /** How the visitor connected the wallet, and what it is called; absent when it was not asked. */
  readonly by?: Extract<HawserEvent, { event: 'CONNECT_SUCCESS' }>['properties']
}

/** The wallet in use on one namespace. */
export interface ConnectedSession<N extends Namespace = Namespace> extends WalletSession<N> {
  readonly connectorId: string
  unwatch(): void
}

/** The checkout window of the purchase that is shown, if any. */
export interface CheckoutState {
  window: Popup | undefined
}

/** Polling that is active. */
export interface FollowingState {
  /** Stops following the open orders. */
  orders: (() => void) | undefined
  /** Ids of the transactions. */
  readonly sent: Set<string>
}

/** The pending connect attempt, if any. */
export interface ConnectingState {
  pending: { readonly connectorId: string; readonly attempt: Promise<Connected> } | undefined
  pairing: PairingAttempt | undefined
}

/** Pairings that are offered to wallets; the first that is approved connects. */
export interface PairingAttempt {
  readonly connectorId: string
  /** Whether hand-offs are offered. */
  readonly isHandoff: boolean
  readonly connected: Promise<Connected>
  /** Offers another pairing; the earlier ones can still be approved until their URIs expire. */
  offer(): void
  /** Stops waiting; `connected` rejects as superseded. */
  cancel(): void
}
