import { type ActivityTransaction, type ActivityTransfer, parseUnits } from '@hawser/core'
import { en } from '../../../locale/en.ts'

/** Allowances from here on are meant to have no end: wallets write 2^256 - 1, some tokens count less of it. */
const UNLIMITED = 1n << 255n

/** What happened, in one word: "Sent". */
export function titleOf({ metadata: { operationType } }: ActivityTransaction): string {
  return en.activity.operations[operationType] ?? operationType
}

/** Whom the account dealt with: an address, or undefined when nobody was there, as where tokens are minted. */
export function counterparty({ transfers: [first], metadata }: ActivityTransaction): string | undefined {
  const party =
    first?.direction === 'in' ? first.sender : first?.direction === 'out' ? first.recipient : metadata.sentTo
  return party && BigInt(party) !== 0n ? party : undefined
}

/** The transfers a row tells of: what went out and what came in for a trade, the first for all else. */
export function mainTransfers({ metadata, transfers }: ActivityTransaction): readonly ActivityTransfer[] {
  if (metadata.operationType !== 'trade') return transfers.slice(0, 1)
  const out = transfers.find(({ direction }) => direction === 'out')
  const into = transfers.find(({ direction }) => direction === 'in')
  return [out, into].filter((transfer) => transfer !== undefined)
}

/** "+" for what came, "−" for what went; nothing for an allowance or a transfer to oneself. */
export function signOf({ direction }: ActivityTransfer, operationType: string): '+' | '−' | '' {
  if (operationType === 'approve') return ''
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
