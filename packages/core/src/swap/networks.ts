import { selectRequestedNetworks } from '../chain/selectors.ts'
import { readServedFeatures } from '../gateway/servedFeatures.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'
import type { ServedFeatures } from '../types/servedFeatures.ts'
import type { ChainState } from '../types/state.ts'

/** Reports whether a network has swaps, as far as is known. */
export function isSwapNetwork(
  { swapChains }: ServedFeatures,
  { chainNamespace, caipNetworkId }: Network,
): boolean {
  return chainNamespace === 'eip155' && swapChains?.includes(caipNetworkId) !== false
}

/** Reports whether one of the site's networks has swaps, as far as is known. */
export function isSwapOffered(chain: ChainState, served: ServedFeatures): boolean {
  return selectRequestedNetworks(chain).some((network) => isSwapNetwork(served, network))
}

/**
 * Returns the networks of the site that have swaps.
 *
 * @throws what a call throws (see `createTransport`).
 */
export async function listSwapNetworks(hawser: Hawser): Promise<readonly Network[]> {
  const served = await readServedFeatures(hawser)
  return selectRequestedNetworks(hawser.chain.getState()).filter((network) => isSwapNetwork(served, network))
}
