import { PERMIT2 } from '../../evm/evmCalls.ts'
import type { Hawser } from '../../types/hawser.ts'
import type { CaipNetworkId } from '../../types/network.ts'
import type { SwapContracts, SwapRouterKind } from '../../types/swapContracts.ts'
import { builtInContracts } from './contracts.gen.ts'
import { refuse } from './refusal.ts'

/**
 * Returns the contracts that swaps may call on a network: those that the page was built with, and those of the site's options.
 *
 * @throws VerificationError if there are none.
 */
export function swapContractsOf(hawser: Hawser, caipNetworkId: CaipNetworkId): SwapContracts {
  const builtIn = builtInContracts[caipNetworkId]
  const own = hawser.options.getState().swapContracts[caipNetworkId]
  const wrapped = own?.wrapped ?? builtIn?.wrapped
  if (!wrapped) return refuse('noExchange')
  return { wrapped, routers: routersOn(hawser, caipNetworkId) }
}

function routersOn(hawser: Hawser, caipNetworkId: CaipNetworkId): SwapContracts['routers'] {
  const own = hawser.options.getState().swapContracts[caipNetworkId]
  return { ...builtInContracts[caipNetworkId]?.routers, ...own?.routers }
}

/** Returns the kind of a router. @throws VerificationError if the page knows none at the address. */
export function requireRouter({ routers }: SwapContracts, address: string | undefined): SwapRouterKind {
  const wanted = address?.toLowerCase()
  const found = Object.entries(routers).find(([router]) => router.toLowerCase() === wanted)
  return found?.[1] ?? refuse('contractUnknown')
}

export function isPermit2(address: string | undefined): boolean {
  return address?.toLowerCase() === PERMIT2.toLowerCase()
}

/** Reports whether the page knows a UniversalRouter on the network. */
export function hasUniversalRouter(hawser: Hawser, caipNetworkId: CaipNetworkId): boolean {
  return universalRouterIn(routersOn(hawser, caipNetworkId)) !== undefined
}

/** Returns the UniversalRouter, which takes tokens through Permit2. @throws VerificationError if the page knows none. */
export function universalRouterOf({ routers }: SwapContracts): string {
  return universalRouterIn(routers) ?? refuse('noPermitRouter')
}

function universalRouterIn(routers: SwapContracts['routers']): string | undefined {
  return Object.entries(routers).find(([, kind]) => kind === 'universal-router')?.[0]
}
