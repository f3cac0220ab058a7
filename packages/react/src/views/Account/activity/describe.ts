import { type ActivityTransaction, type ActivityTransfer, parseUnits, shortenAddress } from '@hawser/core'
import type { Texts } from '@hawser/texts/modal/texts'
import { textFor } from '@hawser/texts/translated'

/** Allowances from here on count as unlimited: wallets approve 2^256 - 1, and some tokens store less. */
const UNLIMITED = 1n << 255n
/** The largest allowance on Solana. */
const UNLIMITED_SOLANA = (1n << 64n) - 1n

/** Returns the operation in the past tense: "Sent". */
export function titleOf(transaction: ActivityTransaction, texts: Texts['base']['activity']): string {
  const { operationType } = transaction.metadata
  if (isClaimed(transaction)) return texts.unverified
  return textFor(texts.operations, operationType) ?? operationType
}

/**
 * Reports whether only events of tokens claim that the transaction moved anything. On Solana, spam moves
 * tokens as well.
 */
export function isClaimed({ spam, transfers }: ActivityTransaction): boolean {
  return spam && transfers.some((transfer) => transfer.spam)
}

/** Returns the transfers of a transaction without those of zero value, which a contract call yields. */
export function movedTransfers({ metadata, transfers }: ActivityTransaction): readonly ActivityTransfer[] {
  if (metadata.operationType === 'approve') return transfers
  return transfers.filter(({ quantity, nftInfo }) => nftInfo || /[1-9]/.test(quantity.numeric))
}

/**
 * Returns the address of the other party; undefined for the zero address, as of a mint, and for an unknown
 * one.
 */
export function counterparty({ transfers: [first], metadata }: ActivityTransaction): string | undefined {
  const party =
    first?.direction === 'in' ? first.sender : first?.direction === 'out' ? first.recipient : metadata.sentTo
  return party && !/^0x0*$/i.test(party) ? party : undefined
}

/** Returns the contract of a transfer, a plain address; undefined for the native currency. */
export function contractOf({ fungibleInfo, nftInfo }: ActivityTransfer): string | undefined {
  return (nftInfo?.address ?? fungibleInfo?.address)?.split(':').at(-1)
}

/**
 * Returns the transfers shown in a row: one out and one in for a trade, else the first. Transfers that only a
 * token's event claims do not count for a trade.
 */
export function mainTransfers(transaction: ActivityTransaction): readonly ActivityTransfer[] {
  const { metadata } = transaction
  const transfers = movedTransfers(transaction)
  if (metadata.operationType !== 'trade') return transfers.slice(0, 1)
  const out = transfers.find(({ direction, spam }) => direction === 'out' && !spam)
  const into = transfers.find(({ direction, spam }) => direction === 'in' && !spam)
  return [out, into].filter((transfer) => transfer !== undefined)
}

/**
 * Returns "+" for incoming, "−" for outgoing; empty for an allowance, a transfer to oneself, or an unverified
 * transfer.
 */
export function signOf({ direction, spam }: ActivityTransfer, operationType: string): '+' | '−' | '' {
  if (operationType === 'approve' || spam) return ''
  if (direction === 'in') return '+'
  return direction === 'out' ? '−' : ''
}

/** Reports whether an allowance is unlimited. */
export function isUnlimited({ fungibleInfo, quantity }: ActivityTransfer, operationType: string): boolean {
  if (operationType !== 'approve' || !fungibleInfo) return false
  const least = fungibleInfo.address?.startsWith('solana:') ? UNLIMITED_SOLANA : UNLIMITED
  return parseUnits(quantity.numeric, fungibleInfo.decimals) >= least
}

/** Returns the symbol of a token, or the name of an NFT; the short address without one. */
export function assetName(transfer: ActivityTransfer): string {
  const { fungibleInfo, nftInfo } = transfer
  const name = fungibleInfo ? fungibleInfo.symbol || fungibleInfo.name : nftInfo?.name
  if (name) return name
  if (nftInfo?.tokenId) return `#${nftInfo.tokenId}`
  const contract = contractOf(transfer)
  return contract ? shortenAddress(contract) : ''
}
