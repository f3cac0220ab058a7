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
 * Reads what the drafted transfer would do, for its review. Does nothing for a draft that is incomplete or
 * confirmed, and on Bitcoin and Polkadot, where a transaction has no effect other than what the review shows.
 */
export async function previewSend(hawser: Hawser): Promise<void> {
  const send = hawser.send.getState()
  const owner = previewedOwner(hawser)
  const amount = sendAmountInBaseUnits(send)
  if (!owner || plainNamespaces.includes(owner.network.chainNamespace)) return
  if (!amount || send.receiverAddress === '' || isSending(send)) return
  const { signal, isCurrent } = hawser.latest.begin('send:preview')
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
