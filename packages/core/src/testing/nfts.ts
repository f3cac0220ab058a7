import type { NftCollection } from '../types/nft.ts'

export const ANCHORS_ADDRESS = '0x1111111111111111111111111111111111111111'
export const MOORINGS_ADDRESS = '0x2222222222222222222222222222222222222222'

/** A collection of unique tokens: one with a picture and traits, and one whose metadata could not be read. */
export const ANCHORS: NftCollection = {
  address: `eip155:31337:${ANCHORS_ADDRESS}`,
  name: 'Anchors',
  symbol: 'ANCHOR',
  standard: 'erc721',
  owned: 2,
  nfts: [
    {
      tokenId: '1',
      quantity: '1',
      name: 'Anchor #1',
      description: 'Drawn on the chain itself.',
      mediaId: 'm-1',
      metadataRead: true,
      traits: [{ name: 'Sea', value: 'Calm' }],
    },
    {
      tokenId: '4',
      quantity: '1',
      name: 'Anchors #4',
      description: '',
      mediaId: '',
      metadataRead: false,
      traits: [],
    },
  ],
}

/** A token of which the account owns three. */
export const MOORINGS: NftCollection = {
  address: `eip155:31337:${MOORINGS_ADDRESS}`,
  name: 'Moorings',
  symbol: 'MOOR',
  standard: 'erc1155',
  owned: 1,
  nfts: [
    {
      tokenId: '7',
      quantity: '3',
      name: 'Berth',
      description: '',
      mediaId: 'm-7',
      metadataRead: true,
      traits: [],
    },
  ],
}
