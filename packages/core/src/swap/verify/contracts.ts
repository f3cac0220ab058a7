import type { Hawser } from '../../types/hawser.ts'
import type { CaipNetworkId } from '../../types/network.ts'
import type { SwapContracts } from '../../types/swapContracts.ts'
import { builtInContracts } from './contracts.gen.ts'
import { refuse } from './refusal.ts'

/**
 * Returns the contracts that swaps may call on a network: those that the page was built with, and those of the site's options.
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
