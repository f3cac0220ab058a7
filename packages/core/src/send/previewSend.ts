import type { AccountOwner } from '../account/owner.ts'
import { accessTo, adapterOf } from '../chain/adapters.ts'
import { thrown } from '../errors/thrown.ts'
import { previewedOwner, readPreview } from '../preview/preview.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace } from '../types/network.ts'
import type { PreviewState } from '../types/preview.ts'
import { sendAmountInBaseUnits } from './amount.ts'
import { isSending } from './lock.ts'
import { transferOf } from './tokenContract.ts'
import { withoutReviewed } from './withoutReviewed.ts'

/** Namespaces whose transfers the page builds itself, without anything that could have another effect. */
const plainNamespaces: readonly Namespace[] = ['bip122', 'polkadot']

/** Milliseconds after which a preview is read again while the chain or the gateway does not answer. */
const retryDelays: readonly number[] = [1_000, 4_000, 10_000]

/**
 * Reports whether a transfer has a preview: not with an embedded wallet, which shows its own, and not on Bitcoin and
 * Polkadot, where a transaction has no effect other than what the review shows.
 */
export function isSendPreviewed(hawser: Hawser): boolean {
  return ownerOfPreview(hawser) !== undefined
}

function ownerOfPreview(hawser: Hawser): AccountOwner | undefined {
  const owner = previewedOwner(hawser)
  return owner && !plainNamespaces.includes(owner.network.chainNamespace) ? owner : undefined
}

/**
 * Reads what the drafted transfer would do, for its review: `unavailable` for a draft that is incomplete. Does nothing
 * where a transfer has no preview, and for a draft that was confirmed with one. It is read again a few times after an outage.
 *
 * @param retries how often it was read again.
 */
export async function previewSend(hawser: Hawser, retries = 0): Promise<void> {
  const send = hawser.send.getState()
  const owner = ownerOfPreview(hawser)
  if (!owner || (isSending(send) && send.preview !== undefined)) return
  const amount = sendAmountInBaseUnits(send)
  const { signal, isCurrent } = hawser.latest.begin('send:preview')
  if (!amount || send.receiverAddress === '') {
    hawser.send.setState({ preview: 'unavailable' })
    return
  }
  if (retries === 0) hawser.send.setState({ preview: 'loading' })
  const read = await readPreview(hawser, owner, signal, async () => {
    const transfers = await (await adapterOf(hawser, owner.network.chainNamespace)).transfers()
    const draft = transferOf(send, owner.address, amount)
    if (transfers.call) return { calls: [transfers.call(draft)] }
    if (!transfers.transaction) throw new Error(thrown.unsupportedChain)
    const access = accessTo(hawser, owner.network)
    return { transaction: await transfers.transaction(access, draft, send.fee, signal) }
  })
  if (!isCurrent()) return
  const preview = withoutReviewed(read, send)
  hawser.send.setState({ preview })
  const delay = retryDelays[retries]
  if (!isOutage(preview) || delay === undefined) return
  hawser.timers.set('send:preview', delay, () => {
    if (hawser.send.getState().preview === preview) void previewSend(hawser, retries + 1)
  })
}

function isOutage(preview: PreviewState): boolean {
  return preview === 'unavailable' || (typeof preview === 'object' && preview.cause === 'CHAIN_UNAVAILABLE')
}
