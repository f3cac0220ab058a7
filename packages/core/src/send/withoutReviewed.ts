import { parseUnits } from '../amounts/units.ts'
import type { PreviewChange, PreviewState } from '../types/preview.ts'
import type { SendState } from '../types/state.ts'
import { sentContract } from './tokenContract.ts'

/** More decimals than any token has. */
const PRECISION = 255

/**
 * Removes what the review of a transfer shows already: the transfer itself, and that it is nearly all there is. What is
 * left differs from the review. So is what the transfer asks in words. A preview without exactly this transfer is returned as it is.
 */
export function withoutReviewed(preview: PreviewState, send: SendState): PreviewState {
  if (typeof preview !== 'object' || preview.outcome !== 'succeeds') return preview
  const { receiverAddress: receiver } = send
  const contract = sentContract(send) ?? ''
  const isReviewed = (change: PreviewChange) =>
    change.isOutgoing &&
    isSameAddress(change.counterparty, receiver) &&
    isSameAddress(change.contract, contract) &&
    isSent(change, send)
  if (preview.changes.filter(isReviewed).length !== 1) return preview
  return {
    ...preview,
    isReviewed: true,
    descriptions: undefined,
    changes: preview.changes.filter((change) => !isReviewed(change)),
    warnings: preview.warnings.filter(
      ({ phrase, value, subject }) =>
        phrase !== 'DRAINS' || !isSameAddress(value, receiver) || !isSameAddress(subject, contract),
    ),
  }
}

function isSent({ amount, symbol, tokenId }: PreviewChange, { token, nft, sendTokenAmount }: SendState) {
  if (amount === undefined || tokenId !== (nft?.tokenId ?? '')) return false
  if (!nft && symbol !== token?.symbol) return false
  return parseUnits(amount, PRECISION) === parseUnits(sendTokenAmount || '0', PRECISION)
}

/** Reports whether two plain addresses are the same one; letters of hex have no case. */
function isSameAddress(a: string, b: string): boolean {
  return a === b || (a.startsWith('0x') && a.toLowerCase() === b.toLowerCase())
}
