import { type AccountOwner, activeOwner } from '../account/owner.ts'
import type { Hawser } from '../types/hawser.ts'
import type { NftCollection, OwnedNft } from '../types/nft.ts'
import { initialNfts } from './initialNfts.ts'

/** Reads the NFTs of the account in use. Never throws: the state says when it failed. */
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
    const isServed = await hawser.servedChains.has(chainId)
    const held = isServed ? await hawser.client.nfts({ address, chainId, signal }) : nothing
    if (!isCurrent()) return
    hawser.nfts.setState({
      isLoaded: true,
      isReading: false,
      hasFailed: false,
      collections: held.collections,
      isBackfilling: held.backfilling,
      isTruncated: held.truncated === true,
    })
  } catch {
    if (isCurrent()) hawser.nfts.setState({ isReading: false, hasFailed: true })
  }
}

const nothing = { collections: [], backfilling: false, truncated: false }

/** The tokens of a collection, each with its contract. */
export function ownedNfts({ nfts, ...collection }: NftCollection): readonly OwnedNft[] {
  return nfts.map((nft) => ({ ...nft, collection }))
}
