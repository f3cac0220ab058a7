import type { NftState } from '../types/nft.ts'

export const initialNfts: NftState = {
  owner: undefined,
  isLoaded: false,
  isReading: false,
  hasFailed: false,
  collections: [],
  isBackfilling: false,
  isTruncated: false,
}
