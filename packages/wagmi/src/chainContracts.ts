import type { Network } from '@hawser/core'
import type { Chain } from 'viem'

const multicall3 = { address: '0xcA11bde05977b3631167028862bE2a173976CA11' } as const
/** On chains with the VM of ZKsync, contracts have other addresses. */
const multicall3OfZksync = { address: '0xF9cda624FBC7e059355ce98a31693d299FaCd963' } as const
const multicall3OfAbstract = { address: '0xAa4De41dba0Ca5dCBb288b7cC6b708F3aaC759E7' } as const
const otherMulticall3: Record<number, typeof multicall3OfZksync | typeof multicall3OfAbstract> = {
  300: multicall3OfZksync,
  324: multicall3OfZksync,
  2741: multicall3OfAbstract,
}

/** The contract by which viem reads names (ENSIP-23). */
const ensUniversalResolver = { address: '0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe' } as const
const earlierUniversalResolver = { address: '0x4D41762915F83c76EcaF6776d9b08076aA32b492' } as const
const universalResolvers: Record<number, typeof ensUniversalResolver | typeof earlierUniversalResolver> = {
  1: ensUniversalResolver,
  59144: earlierUniversalResolver,
  80094: earlierUniversalResolver,
  11155111: ensUniversalResolver,
}

/** Networks of `@hawser/core/networks` that have them. */
const known: readonly number[] = [
  1, 10, 25, 56, 97, 100, 130, 137, 143, 146, 196, 204, 250, 252, 300, 324, 480, 999, 1001, 1088, 1284, 1329,
  1868, 2020, 2741, 4002, 5000, 8217, 8453, 9745, 10200, 33139, 34443, 42161, 42170, 42220, 43113, 43114,
  57073, 59144, 80002, 80094, 81457, 84532, 167000, 421614, 534352, 7777777, 11155111, 11155420, 1313161554,
]

/** Returns the contracts of a network that viem uses to read many values at once, and names: those of the site, or of `@hawser/core/networks`. */
export function chainContracts({ id, contracts }: Network): Chain['contracts'] {
  if (contracts) return contracts as Chain['contracts']
  const chainId = Number(id)
  if (!known.includes(chainId)) return undefined
  const resolver = universalResolvers[chainId]
  return {
    multicall3: otherMulticall3[chainId] ?? multicall3,
    ...(resolver && { ensUniversalResolver: resolver }),
  }
}
