import { toast } from '../errors/messages.ts'
import { reportTransfer } from '../modal/transferFlows.ts'
import type { Hawser } from '../types/hawser.ts'
import type { OwnedNft } from '../types/nft.ts'
import type { SendState } from '../types/state.ts'
import { resetSend } from './draft.ts'

/** Reports whether a draft was confirmed and the wallet has not answered yet. */
export function isSending({ status }: Pick<SendState, 'status'>): boolean {
  return status === 'sending' || status === 'checking'
}

/** Reports whether the draft, of `wanted` or of a token, was not sent by the wallet and can be continued. */
export function isKeptDraft({ status, nft }: SendState, wanted?: OwnedNft): boolean {
  const isUnsent = status === 'declined' || status === 'error'
  return (
    isUnsent && nft?.tokenId === wanted?.tokenId && nft?.collection.address === wanted?.collection.address
  )
}

/** Stops waiting for the wallet, as when its prompt was lost, and drops the draft: it must not be sent twice. */
export function discardSend(hawser: Hawser): void {
  resetSend(hawser)
  reportTransfer(hawser, { kind: 'sendDiscarded', ...toast('sendDiscarded') })
}
