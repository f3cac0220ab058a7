import { tokenDecimals } from '../amounts/units.ts'
import type { TokenBalance } from '../types/account.ts'
import type { NftReference, TransferDraft } from '../types/adapter.ts'
import type { OwnedNft } from '../types/nft.ts'
import type { SendState } from '../types/state.ts'

/** Returns the plain contract address of a row; undefined for the native token. */
export function tokenContract({ address }: TokenBalance): string | undefined {
  return address?.slice(address.lastIndexOf(':') + 1)
}

/** Returns what a transfer needs of an NFT. */
export function nftReference({ collection, tokenId }: OwnedNft): NftReference {
  return {
    contract: collection.address.slice(collection.address.lastIndexOf(':') + 1),
    tokenId: BigInt(tokenId),
    standard: collection.standard === 'erc1155' ? 'erc1155' : 'erc721',
  }
}

/** Returns the transfer of a draft whose amount is in base units. */
export function transferOf(send: SendState, from: string, amount: bigint): TransferDraft {
  const { token, nft, receiverAddress: to } = send
  const tokenAddress = token && tokenContract(token)
  return {
    from,
    to,
    amount,
    ...(tokenAddress && { tokenAddress, decimals: tokenDecimals(token.quantity.decimals) }),
    ...(nft && { nft: nftReference(nft) }),
  }
}

/** Returns the contract of a draft's asset as a plain address; undefined for the native token. */
export function sentContract({ token, nft }: SendState): string | undefined {
  return nft ? nftReference(nft).contract : token && tokenContract(token)
}
