import type { Hawser } from '../types/hawser.ts'
import type { CaipNetworkId } from '../types/network.ts'
import { chainsClient } from './clients.ts'

/**
 * Reports whether the gateway serves a chain. The list is requested once, and again only after a failure.
 *
 * @throws what a call throws (see `createTransport`).
 */
export async function isServed(hawser: Hawser, id: CaipNetworkId): Promise<boolean> {
  const { gateway } = hawser
  gateway.served ??= readServed(hawser)
  const reading = gateway.served
  try {
    return (await reading).includes(id)
  } catch (error) {
    if (gateway.served === reading) gateway.served = undefined
    throw error
  }
}

async function readServed(hawser: Hawser): Promise<readonly string[]> {
  const { http } = await (await chainsClient(hawser)).listSupportedChains({})
  return http
}
