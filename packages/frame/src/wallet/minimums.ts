import { type Hex, zeroAddress } from 'viem'
import type { MinimumBalance } from '../smartAccount/minimumBalances.ts'
import type { Preview } from './preview.ts'

/** Part of what leaves and arrives that may differ, as prices and interest change until the calls are executed: 1 / 20. */
const MARGIN = 20n

/**
 * Returns the least that an account must have after its calls, by the preview that the user approved: what it would have, less a margin of what leaves and
 * arrives. Empty without a preview. @param maxFee what the account itself may pay for gas, in wei
 */
export function minimumsOf(preview: Preview | undefined, maxFee: bigint): readonly MinimumBalance[] {
  const minimums = (preview?.minimumBalances ?? []).map(({ asset, amount = '0' }): MinimumBalance => {
    const token = (asset?.contract || zeroAddress) as Hex
    const fee = token === zeroAddress ? maxFee : 0n
    return { token, amount: BigInt(amount) - movedOf(preview, token) / MARGIN - fee }
  })
  return minimums.filter(({ amount }) => amount > 0n)
}

/** Returns how much of a token leaves the account and arrives there, in base units. */
function movedOf(preview: Preview | undefined, token: Hex): bigint {
  const changes = (preview?.changes ?? []).filter(
    ({ asset }) => (asset?.contract || zeroAddress).toLowerCase() === token.toLowerCase(),
  )
  return changes.reduce((sum, { amount = '0' }) => sum + BigInt(amount), 0n)
}
