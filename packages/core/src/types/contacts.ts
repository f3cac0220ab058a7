import type { Namespace } from './network.ts'

/** An address with the name that the visitor gave it. It is the same on all networks of its namespace. */
export interface Contact {
  readonly namespace: Namespace
  readonly address: string
  /** Plain text, 1 to 64 characters. */
  readonly name: string
}

/** Why contacts of the embedded wallet were not read or written. `damaged`: they cannot be decrypted; `full`: there is no room for more. */
export type WalletContactsProblem = 'damaged' | 'full' | 'failed'

/** The contacts that this page stores, or those of the embedded wallet. */
export interface ContactsState {
  /** In the order of their names; empty until they are read. */
  readonly list: readonly Contact[]
  /**
   * Undefined without an embedded wallet, and until it was asked. `shared`: the contacts are those of the wallet, which are changed there;
   * `apart`: they are those of the page, because the visitor does not share those of the wallet with it, or has to open the wallet first.
   */
  readonly wallet?: 'shared' | 'apart' | undefined
  /** Undefined after the last success. */
  readonly problem?: WalletContactsProblem | undefined
  /** When the wallet was asked last, in Unix milliseconds; undefined without one. */
  readonly walletReadAt?: number | undefined
}
