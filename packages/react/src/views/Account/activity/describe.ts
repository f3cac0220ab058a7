import { type ActivityTransaction, type ActivityTransfer, parseUnits } from '@hawser/core'
import { en } from '../../../locale/en.ts'

/** Allowances from here on are meant to have no end: wallets write 2^256 - 1, some tokens count less of it. */
const UNLIMITED = 1n << 255n

/** What happened, in one word: "Sent". */
export function titleOf({ spam, metadata: { operationType } }: ActivityTransaction): string {
  if (spam) return en.activity.unverified
  return en.activity.operations[operationType] ?? operationType
}

/** What moved. A call that sends no value along is told by the node as a transfer of nothing: that is no transfer. */
export function movedTransfers({ metadata, transfers }: ActivityTransaction): readonly ActivityTransfer[] {
  if (metadata.operationType === 'approve') return transfers
  return transfers.filter(({ quantity, nft_info }) => nft_info || /[1-9]/.test(quantity.numeric))
}

/** Whom the account dealt with: an address, or undefined when nobody was there, as where tokens are minted. */
export function counterparty({ transfers: [first], metadata }: ActivityTransaction): string | undefined {
  const party =
    first?.direction === 'in' ? first.sender : first?.direction === 'out' ? first.recipient : metadata.sentTo
  return party && BigInt(party) !== 0n ? party : undefined
}

/** The contract of what moved, a plain address; undefined for the native currency. */
export function contractOf({ fungible_info, nft_info }: ActivityTransfer): string | undefined {
  return (nft_info?.address ?? fungible_info?.address)?.split(':').at(-1)
}

/**
 * The transfers a row tells of: what went out and what came in for a trade, the first for all else. What a token only claims says
 * nothing of a trade.
 */
export function mainTransfers(transaction: ActivityTransaction): readonly ActivityTransfer[] {
  const { metadata } = transaction
  const transfers = movedTransfers(transaction)
  if (metadata.operationType !== 'trade') return transfers.slice(0, 1)
  const out = transfers.find(({ direction, spam }) => direction === 'out' && !spam)
  const into = transfers.find(({ direction, spam }) => direction === 'in' && !spam)
  return [out, into].filter((transfer) => transfer !== undefined)
}

/** "+" for what came, "−" for what went; nothing for an allowance, a transfer to oneself, or what a token only claims. */
export function signOf({ direction, spam }: ActivityTransfer, operationType: string): '+' | '−' | '' {
  if (operationType === 'approve' || spam) return ''
  if (direction === 'in') return '+'
  return direction === 'out' ? '−' : ''
}

/** True for an allowance without an end. */
export function isUnlimited({ fungible_info, quantity }: ActivityTransfer, operationType: string): boolean {
  if (operationType !== 'approve' || !fungible_info) return false
  return parseUnits(quantity.numeric, fungible_info.decimals) >= UNLIMITED
}

/** What moved, by the name people know: a ticker, or the name of an NFT. */
export function assetName({ fungible_info, nft_info }: ActivityTransfer): string {
  if (fungible_info) return fungible_info.symbol || fungible_info.name
  if (!nft_info) return ''
  return nft_info.name || `#${nft_info.token_id}`
}
