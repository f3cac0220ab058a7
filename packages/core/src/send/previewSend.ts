import type { AccountOwner } from '../account/owner.ts'
import { accessTo, adapterOf } from '../chain/adapters.ts'
import { thrown } from '../errors/thrown.ts'
import { previewedOwner, readPreview } from '../preview/preview.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace } from '../types/network.ts'
import { sendAmountInBaseUnits } from './amount.ts'
import { isSending } from './lock.ts'
import { transferOf } from './tokenContract.ts'
import { withoutReviewed } from './withoutReviewed.ts'

/** Namespaces whose transfers the page builds itself, without anything that could have another effect. */
const plainNamespaces: readonly Namespace[] = ['bip122', 'polkadot']

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
 * where a transfer has no preview, and for a draft that was confirmed with one.
 */
export async function previewSend(hawser: Hawser): Promise<void> {
  const send = hawser.send.getState()
  const owner = ownerOfPreview(hawser)
  if (!owner || (isSending(send) && send.preview !== undefined)) return
  const amount = sendAmountInBaseUnits(send)
  const { signal, isCurrent } = hawser.latest.begin('send:preview')
  if (!amount || send.receiverAddress === '') {
    hawser.send.setState({ preview: 'unavailable' })
    return
  }
  hawser.send.setState({ preview: 'loading' })
  const preview = await readPreview(hawser, owner, signal, async () => {
    const transfers = await (await adapterOf(hawser, owner.network.chainNamespace)).transfers()
    const draft = transferOf(send, owner.address, amount)
    if (transfers.call) return { calls: [transfers.call(draft)] }
    if (!transfers.transaction) throw new Error(thrown.unsupportedChain)
    const access = accessTo(hawser, owner.network)
    return { transaction: await transfers.transaction(access, draft, send.fee, signal) }
  })
  if (isCurrent()) hawser.send.setState({ preview: withoutReviewed(preview, send) })
}
