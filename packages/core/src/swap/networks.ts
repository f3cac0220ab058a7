import { selectRequestedNetworks } from '../chain/selectors.ts'
import { isServed } from '../gateway/servedChains.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'
import { isRefusedFor } from './problems.ts'
import { readSwapTokens } from './tokens.ts'

/** The networks the product swaps on, by chain id. A test network may have swaps too: the gateway is asked. */
const swapChainIds = [1, 42161, 10, 324, 8453, 56, 137, 100, 43114, 250, 8217, 1313161554]

/** False when a network is known to have no swaps; the gateway has the last word on the others. */
export function isSwapNetwork({ chainNamespace, id, testnet }: Network): boolean {
  return chainNamespace === 'eip155' && (testnet || swapChainIds.includes(Number(id)))
}

/**
 * The networks of the site that the gateway serves and that have swaps; of a test network it is asked.
 *
 * @throws what a call throws (see `createTransport`) when no network is known to have swaps and the gateway could not be asked about all.
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
