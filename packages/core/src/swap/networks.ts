import { selectRequestedNetworks } from '../chain/selectors.ts'
import { isServed } from '../gateway/servedChains.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'
import { isRefusedFor } from './problems.ts'
import { readSwapTokens } from './tokens.ts'

/** The networks with swaps, by chain id. Testnets are confirmed with the gateway. */
const swapChainIds = [1, 42161, 10, 324, 8453, 56, 137, 100, 43114, 250, 8217, 1313161554]

/** Returns false if a network is known to have no swaps. The gateway decides about the others. */
export function isSwapNetwork({ chainNamespace, id, testnet }: Network): boolean {
  return chainNamespace === 'eip155' && (testnet || swapChainIds.includes(Number(id)))
}

/**
 * Returns the networks of the site that the gateway serves and that have swaps. Testnets are confirmed with the gateway.
 *
 * @throws what a call throws (see `createTransport`) if no network with swaps was found and a request failed.
 */
export async function listSwapNetworks(hawser: Hawser, signal?: AbortSignal): Promise<readonly Network[]> {
  const networks = selectRequestedNetworks(hawser.chain.getState()).filter(isSwapNetwork)
  const answers = await Promise.allSettled(networks.map((network) => hasSwaps(hawser, network, signal)))
  const found = networks.filter((_, index) => isTrue(answers[index]))
  const failed = answers.find(({ status }) => status === 'rejected')
  if (found.length === 0 && failed?.status === 'rejected') throw failed.reason
  return found
}

async function hasSwaps(hawser: Hawser, network: Network, signal?: AbortSignal): Promise<boolean> {
  if (!(await isServed(hawser, network.caipNetworkId))) return false
  if (!network.testnet) return true
  try {
    return (await readSwapTokens(hawser, network, signal)).length > 0
  } catch (error) {
    if (isRefusedFor(error, 'CHAIN_UNSUPPORTED')) return false
    throw error
  }
}

function isTrue(answer: PromiseSettledResult<boolean> | undefined): boolean {
  return answer?.status === 'fulfilled' && answer.value
}
