import type { MessageData } from '@hawser/client'
import type { Collection, Nft as NftMessage } from '@hawser/client/nfts'
import type { CaipAddress } from './network.ts'

/** One token of a collection. */
export type Nft = MessageData<NftMessage>

/** One contract, and the tokens of it that the account owns. */
export type NftCollection = MessageData<Collection>

/** One token with its contract, as views and transfers need it. */
export interface OwnedNft extends Nft {
  readonly collection: Omit<NftCollection, 'nfts'>
}

/** The NFTs of the active account. */
export interface NftState {
  /** The account that owns them. */
  readonly owner: CaipAddress | undefined
  /** False until the first answer. */
  readonly isLoaded: boolean
  readonly isReading: boolean
  /** True when the last read failed. */
  readonly hasFailed: boolean
  readonly collections: readonly NftCollection[]
  /** The gateway still reads older blocks; more tokens may follow. */
  readonly isBackfilling: boolean
  /** The account received more tokens than the gateway examines. */
  readonly isTruncated: boolean
}
