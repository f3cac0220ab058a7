import type { Namespace } from './network.ts'

export type ConnectorType = 'EXTERNAL' | 'WALLET_CONNECT' | 'INJECTED' | 'ANNOUNCED' | 'AUTH' | 'MULTI_CHAIN'

/** An EIP-1193 provider. */
export interface Eip1193Provider {
  request(args: { method: string; params?: readonly unknown[] | object }): Promise<unknown>
  on?(event: string, listener: (payload: never) => void): unknown
  removeListener?(event: string, listener: (payload: never) => void): unknown
}

/** A wallet that can be connected. */
export interface Connector {
  /** Stable across visits: the rdns of an announced wallet, a fixed word otherwise. */
  readonly id: string
  readonly name: string
  /** A sentence below the name in the list of wallets. */
  readonly description?: string
  readonly type: ConnectorType
  readonly chain: Namespace
  readonly imageUrl?: string
  readonly imageId?: string
  /** Id of the same wallet in the wallet directory. */
  readonly explorerId?: string
  readonly info?: { readonly rdns?: string; readonly uuid?: string }
  /** Another wallet announced the same rdns before; one of the two is an impostor. */
  readonly isDuplicate?: boolean
  /** The entries merged into a MULTI_CHAIN connector, one per namespace. */
  readonly connectors?: readonly Connector[]
  /** Loads the provider on first use, so that a listed wallet costs no bytes. */
  getProvider(): Promise<Eip1193Provider>
  /** Ends the session in the wallet, if the wallet has one. */
  disconnect?(): Promise<void>
}

/** The list of wallets, as a connector factory sees it. */
export interface ConnectorContext {
  add(connector: Connector): void
  remove(connectorId: string): void
}

/** Called once in the browser when the instance is mounted; returns a function that stops it. */
export type ConnectorFactory = (context: ConnectorContext) => () => void

/** A wallet remembered for the next visit. */
export interface RecentWallet {
  readonly id: string
  readonly name: string
  readonly imageUrl?: string
  readonly rdns?: string
}
