import type { Namespace, Providers } from '@hawser/core'
import { useHawser } from './useHawser.ts'
import { useHawserState } from './useHawserState.ts'

/**
 * Returns the provider of the connected wallet, to sign with: EIP-1193 on EVM networks. Undefined while
 * nothing is connected.
 *
 * @param options.namespace `eip155` by default.
 */
export function useWalletProvider<N extends Namespace = 'eip155'>({
  namespace,
}: {
  namespace?: N
} = {}): Providers[N] | undefined {
  const hawser = useHawser()
  const wanted = namespace ?? 'eip155'
  // The session is set before the account is, so subscribing to the account is enough.
  useHawserState(hawser.chain, ({ chains }) => chains.get(wanted)?.accountState.caipAddress)
  // A session is kept under the namespace of its provider.
  return hawser.sessions.get(wanted)?.provider as Providers[N] | undefined
}
