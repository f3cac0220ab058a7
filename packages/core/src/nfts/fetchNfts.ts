import { messageData } from '@hawser/client'
import { type AccountOwner, activeOwner } from '../account/owner.ts'
import { nftsClient } from '../gateway/clients.ts'
import { isServed } from '../gateway/servedFeatures.ts'
import { NFT_REFRESH_MS } from '../limits.ts'
import { refreshOnChange } from '../push/refreshOnChange.ts'
import type { Hawser } from '../types/hawser.ts'
import type { NftCollection, OwnedNft } from '../types/nft.ts'
import { initialNfts } from './initialNfts.ts'

/** Reads the NFTs of the active account. Never throws: a failure is in the state. */
export async function fetchNfts(hawser: Hawser): Promise<void> {
  const owner = activeOwner(hawser)
  hawser.nfts.setState((state) =>
    state.owner === owner?.caipAddress ? state : { ...initialNfts, owner: owner?.caipAddress },
  )
  if (owner) await read(hawser, owner)
}

async function read(hawser: Hawser, { address, network }: AccountOwner): Promise<void> {
  const { isCurrent, signal } = hawser.latest.begin('nfts')
  const chainId = network.caipNetworkId
  hawser.nfts.setState({ isReading: true })
  try {
    const served = await isServed(hawser, chainId)
    const held = served ? await readNfts(hawser, { address, chainId }, signal) : nothing
    if (!isCurrent()) return
    hawser.nfts.setState({
      isLoaded: true,
      isReading: false,
      hasFailed: false,
      collections: held.collections,
      isBackfilling: held.backfilling,
      isTruncated: held.truncated,
    })
  } catch {
    if (isCurrent()) hawser.nfts.setState({ isReading: false, hasFailed: true })
  }
}

async function readNfts(hawser: Hawser, request: { address: string; chainId: string }, signal: AbortSignal) {
  return messageData(await (await nftsClient(hawser)).listNfts(request, { signal }))
}

const nothing = { collections: [], backfilling: false, truncated: false }

/** Returns the tokens of a collection, each with its contract. */
export function ownedNfts({ nfts, ...collection }: NftCollection): readonly OwnedNft[] {
  return nfts.map((nft) => ({ ...nft, collection }))
}

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
