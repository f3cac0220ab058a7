import type { Namespace } from './network.ts'

/** An address with the name that the visitor gave it. It is the same on all networks of its namespace. */
export interface Contact {
  readonly namespace: Namespace
  readonly address: string
  /** Plain text, 1 to 64 characters. */
  readonly name: string
}

/** The contacts that this page stores. */
export interface ContactsState {
  /** In the order of their names; empty until they are read. */
  readonly list: readonly Contact[]
}
