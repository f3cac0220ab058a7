import { type AccountState, type Namespace, selectAccount } from '@hawser/core'
import { useHawser } from './useHawser.ts'
import { useHawserState } from './useHawserState.ts'

export interface Account extends AccountState {
  isConnected: boolean
}

/** The account of a namespace, of the active one by default. Its balance is a decimal string in whole tokens. */
export function useAccount(namespace?: Namespace): Account {
  const hawser = useHawser()
  const account = useHawserState(hawser.chain, (state) => selectAccount(state, namespace))
  return { ...account, isConnected: account.address !== undefined }
}
