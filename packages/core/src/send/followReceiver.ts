import { switchNetwork } from '../chain/switchNetwork.ts'
import type { Hawser } from '../types/hawser.ts'
import { openSend } from './edit.ts'
import { setReceiver } from './receiver.ts'

/**
 * Switches to the network that the receiver is on, and begins a draft with the receiver there. Does nothing unless
 * the receiver was stopped for its network.
 *
 * @throws SwitchNetworkError when the wallet refuses; the draft stays as it was.
 */
export async function followReceiver(hawser: Hawser): Promise<void> {
  const { receiverObjection: objection } = hawser.send.getState()
  if (objection?.kind !== 'elsewhere' || !objection.target) return
  await switchNetwork(hawser, { network: objection.target })
  // The switch dropped the draft, and a wallet that tells of it has closed the form.
  if (!hawser.modal.getState().open) return
  openSend(hawser)
  await setReceiver(hawser, objection.text)
}
