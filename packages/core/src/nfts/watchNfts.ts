import { NFT_REFRESH_MS } from '../constants.ts'
import { refreshOnChange } from '../push/refreshOnChange.ts'
import type { Hawser } from '../types/hawser.ts'
import { fetchNfts } from './fetchNfts.ts'

/** Keeps the NFTs fresh, see `refreshOnChange`; every 30 seconds while nothing is pushed. */
export function watchNfts(hawser: Hawser): () => void {
  return refreshOnChange(hawser, {
    every: NFT_REFRESH_MS,
    read: () => fetchNfts(hawser),
    isIncomplete: () => {
      const { isBackfilling, hasFailed } = hawser.nfts.getState()
      return isBackfilling || hasFailed
    },
  })
}
