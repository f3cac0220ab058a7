import type { MessageData } from '@hawser/client'
import type { Collection, Nft as NftMessage } from '@hawser/client/nfts'
import type { CaipAddress } from './network.ts'

/** One token of a collection. */
export type Nft = MessageData<NftMessage>

/** One contract and what the account owns of it. */
export type NftCollection = MessageData<Collection>

/** One token with its contract: all that a view or a transfer needs to know of it. */
export interface OwnedNft extends Nft {
  readonly collection: Omit<NftCollection, 'nfts'>
}

/** The NFTs of the account in use. */
export interface NftState {
  /** Whose they are. */
  readonly owner: CaipAddress | undefined
  /** False until the first answer. */
  readonly isLoaded: boolean
  readonly isReading: boolean
  /** True when the last reading failed, whatever is shown. */
  readonly hasFailed: boolean
  readonly collections: readonly NftCollection[]
  /** Older blocks are still being read: more may come. */
  readonly isBackfilling: boolean
  /** More tokens moved to the account than are looked at. */
  readonly isTruncated: boolean
}
