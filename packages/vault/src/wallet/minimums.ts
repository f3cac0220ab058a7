import { type Hex, zeroAddress } from 'viem'
import type { MinimumBalance } from '../smartAccount/minimumBalances.ts'
import type { Preview } from './preview.ts'

/** Part of the difference between what leaves and what arrives that may change with prices and interest until the calls are executed: 1 / 20. */
const NET_MARGIN = 20n
/** Most of a balance that amounts which leave and arrive again may change it by: 1 / 1000. */
const ROUND_TRIP_MARGIN = 1_000n

/**
 * Returns the least that an account must have after its calls, by the preview that the user approved: what it would have, less a margin of what leaves and
 * arrives. Empty without a preview. @param maxFee what the account itself may pay for gas, in wei
 */
export function minimumsOf(preview: Preview | undefined, maxFee: bigint): readonly MinimumBalance[] {
  const minimums = (preview?.minimumBalances ?? []).map(({ asset, amount = '0' }): MinimumBalance => {
    const token = (asset?.contract || zeroAddress) as Hex
    const fee = token === zeroAddress ? maxFee : 0n
    const balance = BigInt(amount)
    return { token, amount: balance - marginOf(preview, token, balance) - fee }
  })
  return minimums.filter(({ amount }) => amount > 0n)
}

/** Returns how much less of a token than the preview's balance the account may have, in base units: a site cannot raise it far by round trips. */
function marginOf(preview: Preview | undefined, token: Hex, balance: bigint): bigint {
  const changes = (preview?.changes ?? []).filter(
    ({ asset }) => (asset?.contract || zeroAddress).toLowerCase() === token.toLowerCase(),
  )
  const leaves = sumOf(changes.filter(({ outgoing }) => outgoing))
  const arrives = sumOf(changes.filter(({ outgoing }) => !outgoing))
  const [less, more] = leaves < arrives ? [leaves, arrives] : [arrives, leaves]
  const roundTrips = less / NET_MARGIN
  const most = balance / ROUND_TRIP_MARGIN
  return (more - less) / NET_MARGIN + (roundTrips < most ? roundTrips : most)
}

function sumOf(changes: readonly { readonly amount?: string }[]): bigint {
  return changes.reduce((sum, { amount = '0' }) => sum + BigInt(amount), 0n)
}
