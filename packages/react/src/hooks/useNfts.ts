import { fetchNfts, type NftCollection, watchNfts } from '@hawser/core'
import { useCallback, useEffect } from 'react'
import { useHawser } from './useHawser.ts'
import { useHawserState } from './useHawserState.ts'

/** What `useNfts` returns. */
export interface Nfts {
  collections: readonly NftCollection[]
  /** False until the first answer for this account and network. */
  isLoaded: boolean
  /** The last request failed; earlier results stay. */
  hasFailed: boolean
  /** Older blocks are still being read: more may come. */
  isBackfilling: boolean
  /** Address of a picture, by the `mediaId` of its token; the gateway fetches it. */
  mediaUrl: (mediaId: string) => string
  /** Reads them again. Never rejects. */
  refresh: () => Promise<void>
}

/**
 * Returns the NFTs of the active account on the active network, kept fresh while the component is mounted.
 */
export function useNfts(): Nfts {
  const hawser = useHawser()
  const { collections, isLoaded, hasFailed, isBackfilling } = useHawserState(hawser.nfts, (state) => state)
  useEffect(() => watchNfts(hawser), [hawser])
  const refresh = useCallback(() => fetchNfts(hawser), [hawser])
  const { nftMediaUrl: mediaUrl } = hawser.client
  return { collections, isLoaded, hasFailed, isBackfilling, mediaUrl, refresh }
}
