import { describe, expect, it, vi } from 'vitest'
import { setActiveNetwork } from '../chain/activeNetwork.ts'
import { openModal } from '../modal/modal.ts'
import { openSendNft, setSendAmount } from '../send/edit.ts'
import { sendReadiness } from '../send/readiness.ts'
import { setReceiver } from '../send/receiver.ts'
import { sendToken } from '../send/sendToken.ts'
import { settle } from '../testing/fakeClock.ts'
import { ALICE, BOB } from '../testing/fakeWallet.ts'
import { createConnectedKit, devnetTwo, type Kit } from '../testing/kit.ts'
import { ANCHORS, ANCHORS_ADDRESS, MOORINGS, MOORINGS_ADDRESS } from '../testing/nfts.ts'
import { sent } from '../testing/previewing.ts'
import type { NftCollection, OwnedNft } from '../types/nft.ts'
import { fetchNfts, ownedNfts, watchNfts } from './fetchNfts.ts'

const nftsOf = ({ hawser }: Kit) => hawser.nfts.getState()
const nftRequests = ({ gateway }: Kit) => gateway.requests.filter((request) => request.includes('/ListNfts '))
const first = (collection: NftCollection) => ownedNfts(collection)[0] as OwnedNft
const word = (value: bigint) => value.toString(16).padStart(64, '0')

describe('the NFTs of an account', () => {
  it('are read for the network in use', async () => {
    const kit = await createConnectedKit()
    kit.gateway.nfts = () => ({ collections: [ANCHORS], backfilling: true, truncated: true })
    await fetchNfts(kit.hawser)
    expect(nftRequests(kit)[0]).toContain(`/ListNfts {"address":"${ALICE}","chainId":"eip155:31337"}`)
    expect(nftsOf(kit)).toMatchObject({
      collections: [ANCHORS],
      isLoaded: true,
      isBackfilling: true,
      isTruncated: true,
    })
  })

  it('are read again on another network', async () => {
    const kit = await createConnectedKit()
    kit.gateway.nfts = () => ({ collections: [ANCHORS], backfilling: false })
    await fetchNfts(kit.hawser)
    setActiveNetwork(kit.hawser, devnetTwo)
    void fetchNfts(kit.hawser)
    expect(nftsOf(kit)).toMatchObject({ collections: [], isLoaded: false })
  })

  it('stay when they cannot be read again', async () => {
    const kit = await createConnectedKit()
    kit.gateway.nfts = () => ({ collections: [ANCHORS], backfilling: false })
    await fetchNfts(kit.hawser)
    kit.gateway.status = 500
    await fetchNfts(kit.hawser)
    expect(nftsOf(kit)).toMatchObject({ collections: [ANCHORS], hasFailed: true, isReading: false })
  })

  it('are read again when the history changed', async () => {
    const kit = await createConnectedKit()
    await vi.waitFor(() =>
      expect(kit.gateway.requests.some((each) => each.includes('WatchAccount'))).toBe(true),
    )
    await settle()
    kit.hawser.push.setState({ isLive: true })
    const stop = watchNfts(kit.hawser)
    await settle()
    await kit.clock.advance(120_000)
    expect(nftRequests(kit)).toHaveLength(1)
    kit.hawser.push.setState({ activityChanges: 1 })
    await settle()
    expect(nftRequests(kit)).toHaveLength(2)
    stop()
  })
})

/** Starts sending an NFT to Bob. */
async function drafting(nft: OwnedNft, count: string): Promise<Kit> {
  const kit = await createConnectedKit()
  openModal(kit.hawser, { view: 'Account' })
  openSendNft(kit.hawser, nft)
  setSendAmount(kit.hawser, count)
  await setReceiver(kit.hawser, BOB)
  return kit
}

const readiness = ({ hawser }: Kit) => sendReadiness(hawser.send.getState())

describe('sending an NFT', () => {
  it('of ERC-721 calls safeTransferFrom with its id', async () => {
    const kit = await drafting(first(ANCHORS), '1')
    await vi.waitFor(() => expect(readiness(kit)).toBe('ready'))
    await sendToken(kit.hawser)
    expect(sent(kit)[0]?.params).toMatchObject([
      {
        to: ANCHORS_ADDRESS,
        value: '0x0',
        data: `0x42842e0e${word(BigInt(ALICE))}${word(BigInt(BOB))}${word(1n)}`,
      },
    ])
    expect(kit.hawser.activity.getState().sent[0]?.transaction.transfers).toMatchObject([
      { nftInfo: { name: 'Anchor #1', tokenId: '1' }, quantity: { numeric: '1' }, recipient: BOB },
    ])
  })

  it('of ERC-1155 calls safeTransferFrom with how many', async () => {
    const kit = await drafting(first(MOORINGS), '2')
    await vi.waitFor(() => expect(readiness(kit)).toBe('ready'))
    await sendToken(kit.hawser)
    const data = [BigInt(ALICE), BigInt(BOB), 7n, 2n, 160n, 0n].map(word).join('')
    expect(sent(kit)[0]?.params).toMatchObject([{ to: MOORINGS_ADDRESS, data: `0xf242432a${data}` }])
  })

  it.each([
    ['4', 'insufficientFunds'],
    ['0', 'incorrectValue'],
    ['1.5', 'incorrectValue'],
    ['', 'addAmount'],
  ])('is refused for a count of %j when there are three', async (count, refusal) => {
    const kit = await drafting(first(MOORINGS), count)
    expect(readiness(kit)).toBe(refusal)
  })
})
