import { askWallet } from '../account/askWallet.ts'
import { activeOwner } from '../account/owner.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'

/** The visitor waits for a quote meanwhile. */
const CAPABILITIES_DEADLINE_MS = 1_000

/** Whether the wallet carries out several calls at once or not at all. False when it does not say in time. Never throws. */
export async function carriesBatches(hawser: Hawser, network: Network): Promise<boolean> {
  const session = hawser.sessions.get(network.chainNamespace)
  const address = activeOwner(hawser)?.address
  if (!session || !address) return false
  const carries = await askWallet(hawser, network.chainNamespace, CAPABILITIES_DEADLINE_MS, (contracts) =>
    contracts.carriesBatches(session, address, network.caipNetworkId),
  )
  return carries === true
}
