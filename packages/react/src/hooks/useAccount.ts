import { type AccountState, type Namespace, selectAccount } from '@hawser/core'
import { useHawser } from './useHawser.ts'
import { useHawserState } from './useHawserState.ts'

/** The account of one namespace. */
export type Account = AccountState

/** Which namespace a hook is about. */
export interface NamespaceOptions {
  /** The active one by default. */
  namespace?: Namespace
}

/** Returns the account of a namespace. Its balance is a decimal string in whole tokens. */
export function useAccount({ namespace }: NamespaceOptions = {}): Account {
  const hawser = useHawser()
  return useHawserState(hawser.chain, (state) => selectAccount(state, namespace))
}
