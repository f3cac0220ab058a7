import type { TokenBalance } from '../types/account.ts'
import type { NftReference } from '../types/adapter.ts'
import type { OwnedNft } from '../types/nft.ts'
import type { SendState } from '../types/state.ts'

/** Plain contract address out of a row's CAIP-10; undefined for the native token. */
export function tokenContract({ address }: TokenBalance): string | undefined {
  return address?.slice(address.lastIndexOf(':') + 1)
}

/** What a transfer has to name of an NFT. */
export function nftReference({ collection, tokenId }: OwnedNft): NftReference {
  return {
    contract: collection.address.slice(collection.address.lastIndexOf(':') + 1),
    tokenId: BigInt(tokenId),
    standard: collection.standard === 'erc1155' ? 'erc1155' : 'erc721',
  }
}

/** The contract of what a draft sends, a plain address; undefined for the native token. */
export function sentContract({ token, nft }: SendState): string | undefined {
  return nft ? nftReference(nft).contract : token && tokenContract(token)
}
