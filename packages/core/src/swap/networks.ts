import { selectRequestedNetworks } from '../chain/selectors.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'
import { readSwapTokens } from './tokens.ts'

/** The networks the product swaps on, by chain id. A test network may have swaps too: the gateway is asked. */
const swapChainIds = [1, 42161, 10, 324, 8453, 56, 137, 100, 43114, 250, 8217, 1313161554]

/** False when a network is known to have no swaps; the gateway has the last word on the others. */
export function isSwapNetwork({ chainNamespace, id, testnet }: Network): boolean {
  return chainNamespace === 'eip155' && (testnet || swapChainIds.includes(Number(id)))
}

/** The networks of the site that the gateway serves and that have swaps; of a test network it is asked. Never throws. */
export async function listSwapNetworks(hawser: Hawser, signal?: AbortSignal): Promise<readonly Network[]> {
  const networks = selectRequestedNetworks(hawser.chain.getState()).filter(isSwapNetwork)
  const answers = await Promise.all(
    networks.map(async (network) => {
      if (!(await hawser.servedChains.has(network.caipNetworkId))) return false
      if (!network.testnet) return true
      const tokens = await readSwapTokens(hawser, network, signal).catch(() => [])
      return tokens.length > 0
    }),
  )
  return networks.filter((_, index) => answers[index])
}
