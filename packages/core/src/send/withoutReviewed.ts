import { parseUnits } from '../amounts/units.ts'
import type { PreviewChange, PreviewState } from '../types/preview.ts'
import type { SendState } from '../types/state.ts'

/** More decimals than any token has. */
const PRECISION = 255

/**
 * Removes what the review of a transfer shows already: the transfer itself, and that it is nearly all there is. What is
 * left differs from the review. A preview without exactly this transfer is returned as it is.
 */
export function withoutReviewed(preview: PreviewState, send: SendState): PreviewState {
  if (typeof preview !== 'object' || preview.outcome !== 'succeeds') return preview
  const receiver = send.receiverAddress.toLowerCase()
  const isReviewed = (change: PreviewChange) =>
    change.isOutgoing && change.counterparty.toLowerCase() === receiver && isSent(change, send)
  if (preview.changes.filter(isReviewed).length !== 1) return preview
  return {
    ...preview,
    isReviewed: true,
    changes: preview.changes.filter((change) => !isReviewed(change)),
    warnings: preview.warnings.filter(
      ({ phrase, value }) => phrase !== 'DRAINS' || value.toLowerCase() !== receiver,
    ),
  }
}

function isSent({ amount, symbol, tokenId }: PreviewChange, { token, nft, sendTokenAmount }: SendState) {
  if (amount === undefined || tokenId !== (nft?.tokenId ?? '')) return false
  if (!nft && symbol !== token?.symbol) return false
  return parseUnits(amount, PRECISION) === parseUnits(sendTokenAmount || '0', PRECISION)
}
