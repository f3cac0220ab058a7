import type { Network } from '@hawser/core'
import type { Chain } from 'viem'

const multicall3 = { address: '0xcA11bde05977b3631167028862bE2a173976CA11' } as const
/** The contract by which viem reads names (ENSIP-23). */
const ensUniversalResolver = { address: '0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe' } as const
/** On ZKsync, contracts have other addresses. */
const multicall3OfZksync = { address: '0xF9cda624FBC7e059355ce98a31693d299FaCd963' } as const

const ens: readonly number[] = [1, 11155111]
const zksync: readonly number[] = [324, 300]
/** Networks of `@hawser/core/networks` that have them. */
const known: readonly number[] = [
  1, 10, 56, 97, 100, 137, 250, 300, 324, 1001, 4002, 8217, 8453, 10200, 42161, 43113, 43114, 80002, 84532,
  421614, 11155111, 11155420, 1313161554,
]

/** Returns the contracts of a network that viem uses to read many values at once, and names: those of the site, or of `@hawser/core/networks`. */
export function chainContracts({ id, contracts }: Network): Chain['contracts'] {
  if (contracts) return contracts as Chain['contracts']
  const chainId = Number(id)
  if (!known.includes(chainId)) return undefined
  return {
    multicall3: zksync.includes(chainId) ? multicall3OfZksync : multicall3,
    ...(ens.includes(chainId) && { ensUniversalResolver }),
  }
}
