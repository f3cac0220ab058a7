import type { Hawser } from '../../types/hawser.ts'
import type { CaipNetworkId } from '../../types/network.ts'
import type { SwapContracts } from '../../types/swapContracts.ts'
import { builtInContracts } from './contracts.gen.ts'
import { refuse } from './refusal.ts'

/**
 * The contracts of a network that this page lets swaps call: those that it was built with, and the site's own.
 *
 * @throws VerificationError when there are none.
 */
export function swapContractsOf(hawser: Hawser, caipNetworkId: CaipNetworkId): SwapContracts {
  const builtIn = builtInContracts[caipNetworkId]
  const own = hawser.options.getState().swapContracts[caipNetworkId]
  const wrapped = own?.wrapped ?? builtIn?.wrapped
  if (!wrapped) return refuse('This page knows no exchange on the network')
  return { wrapped, routers: { ...builtIn?.routers, ...own?.routers } }
}
