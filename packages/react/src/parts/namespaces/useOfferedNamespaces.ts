import { type Namespace, selectAccount } from '@hawser/core'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'

/**
 * Returns the namespaces that wallets are offered for: the site's, or only the active one while another has
 * an account.
 */
export function useOfferedNamespaces(): readonly Namespace[] {
  const state = useHawserState(useHawser().chain, (chain) => chain)
  const isElsewhere = [...state.chains.values()].some(({ accountState }) => accountState.address)
  return isElsewhere && !selectAccount(state).address ? [state.activeChain] : [...state.chains.keys()]
}
