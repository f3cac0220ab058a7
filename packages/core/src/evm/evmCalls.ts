import type { ContractCall, TransferDraft } from '../types/adapter.ts'

/** `transfer(address,uint256)` of ERC-20. Its result is not read, because some tokens return none. */
const TRANSFER_SELECTOR = '0xa9059cbb'
/** `approve(address,uint256)` of ERC-20, where the number is an amount, and of ERC-721, where it is a token id. */
export const APPROVE_SELECTOR = '0x095ea7b3'
/** `safeTransferFrom(address,address,uint256)` of ERC-721. */
const SAFE_TRANSFER_SELECTOR = '0x42842e0e'
/** `safeTransferFrom(address,address,uint256,uint256,bytes)` of ERC-1155. */
const SAFE_TRANSFER_OF_MANY_SELECTOR = '0xf242432a'
/** Offset of that call's bytes argument, after its five words. */
const BYTES_OFFSET = 160n

/** Uniswap's Permit2, at the same address on every network. */
export const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

/** Returns the call that moves the draft's asset: native currency, an ERC-20 token, or an NFT. */
export function transferCall(draft: TransferDraft): ContractCall {
  const { to, tokenAddress, nft, amount } = draft
  if (nft) return { to: nft.contract, data: nftTransferData(draft, nft), value: 0n }
  if (!tokenAddress) return { to, data: '0x', value: amount }
  return { to: tokenAddress, data: TRANSFER_SELECTOR + words(BigInt(to), amount), value: 0n }
}

function nftTransferData(
  { from, to, amount }: TransferDraft,
  { standard, tokenId }: NonNullable<TransferDraft['nft']>,
): string {
  const parties = words(BigInt(from), BigInt(to), tokenId)
  if (standard === 'erc721') return SAFE_TRANSFER_SELECTOR + parties
  return SAFE_TRANSFER_OF_MANY_SELECTOR + parties + words(amount, BYTES_OFFSET, 0n)
}

/**
 * Returns the call data of an approval.
 *
 * @param value amount of an ERC-20 token in base units, or the id of an ERC-721 token.
 */
export function approveData(spender: string, value: bigint): string {
  return APPROVE_SELECTOR + words(BigInt(spender), value)
}

/** Encodes values as ABI words of 32 bytes. */
export function words(...values: readonly bigint[]): string {
  return values.map((value) => value.toString(16).padStart(64, '0')).join('')
}

/** Formats a JSON-RPC quantity. */
export function hexQuantity(value: bigint): string {
  return `0x${value.toString(16)}`
}
