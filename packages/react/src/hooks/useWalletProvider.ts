import type { Eip1193Provider, Namespace } from '@hawser/core'
import { useHawser } from './useHawser.ts'
import { useHawserState } from './useHawserState.ts'

/** The EIP-1193 provider of the connected wallet, to sign with; undefined while nothing is connected. */
export function useWalletProvider(namespace?: Namespace): Eip1193Provider | undefined {
  const hawser = useHawser()
  const active = useHawserState(hawser.chain, (state) => state.activeChain)
  // The session is set before the account is, so subscribing to the account is enough.
  useHawserState(hawser.chain, (state) => state.activeCaipAddress)
  return hawser.sessions.get(namespace ?? active)?.provider
}
