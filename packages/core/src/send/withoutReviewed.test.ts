import { describe, expect, it } from 'vitest'
import { DOLLAR, DOLLAR_ADDRESS, ETHER } from '../testing/fakeGateway.ts'
import { ALICE, BOB } from '../testing/fakeWallet.ts'
import { MOORINGS, MOORINGS_ADDRESS } from '../testing/nfts.ts'
import type { OwnedNft } from '../types/nft.ts'
import type { Preview } from '../types/preview.ts'
import { initialSend } from './draft.ts'
import { withoutReviewed } from './withoutReviewed.ts'

const draft = { ...initialSend, token: DOLLAR, sendTokenAmount: '12.50', receiverAddress: BOB }
const change = {
  amount: '12.5',
  symbol: 'tUSD',
  tokenId: '',
  contract: DOLLAR_ADDRESS.toLowerCase(),
  isOutgoing: true,
  counterparty: BOB.toLowerCase(),
}
const drains = {
  severity: 'danger',
  text: 'Nearly all leaves.',
  phrase: 'DRAINS',
  value: BOB,
  subject: DOLLAR_ADDRESS,
} as const
const preview: Preview = {
  outcome: 'succeeds',
  reason: '',
  cause: '',
  changes: [change],
  approvals: [],
  warnings: [drains],
}

it('leaves nothing of a preview that is the transfer itself', () => {
  expect(withoutReviewed(preview, draft)).toEqual({ ...preview, isReviewed: true, changes: [], warnings: [] })
})

it('leaves what the review does not show', () => {
  const other = { ...change, contract: '', symbol: 'ETH', counterparty: ALICE }
  const left = { ...drains, value: ALICE }
  expect(
    withoutReviewed({ ...preview, changes: [change, other], warnings: [drains, left] }, draft),
  ).toMatchObject({ changes: [other], warnings: [left] })
})

it.each([
  ['another token', ALICE],
  ['the native token', ''],
])('leaves that the same receiver gets nearly all of %s', (_, subject) => {
  const other = { ...drains, subject }
  expect(withoutReviewed({ ...preview, warnings: [drains, other] }, draft)).toMatchObject({
    warnings: [other],
  })
})

it('leaves nothing of a transfer of the native token', () => {
  const native = { ...preview, changes: [{ ...change, contract: '', symbol: 'ETH' }] }
  const warnings = [{ ...drains, subject: '' }, drains]
  expect(withoutReviewed({ ...native, warnings }, { ...draft, token: ETHER })).toMatchObject({
    isReviewed: true,
    changes: [],
    warnings: [drains],
  })
})

describe('of an NFT', () => {
  const nft = { ...MOORINGS.nfts[0], collection: MOORINGS } as OwnedNft
  const moved = {
    ...change,
    amount: '1',
    symbol: 'MOOR',
    tokenId: nft.tokenId,
    contract: MOORINGS_ADDRESS,
  }
  const nftDraft = { ...draft, token: undefined, nft, sendTokenAmount: '1' }

  it('leaves nothing that is the transfer itself', () => {
    expect(withoutReviewed({ ...preview, changes: [moved], warnings: [] }, nftDraft)).toMatchObject({
      isReviewed: true,
      changes: [],
    })
  })

  it('leaves one of another collection with the same number', () => {
    const other = { ...preview, changes: [{ ...moved, contract: ALICE }] }
    expect(withoutReviewed(other, nftDraft)).toBe(other)
  })
})

it('takes addresses of base 58 by their letters', () => {
  const mint = 'So11111111111111111111111111111111111111112'
  const token = { ...DOLLAR, address: `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:${mint}` as const }
  const other = { ...preview, changes: [{ ...change, contract: mint.toLowerCase() }] }
  expect(withoutReviewed(other, { ...draft, token })).toBe(other)
})

it.each<[string, Partial<Preview>]>([
  ['another amount', { changes: [{ ...change, amount: '12.51' }] }],
  ['an amount without a bound', { changes: [{ ...change, amount: undefined }] }],
  ['another token', { changes: [{ ...change, symbol: 'ETH' }] }],
  ['another token of the same symbol', { changes: [{ ...change, contract: ALICE }] }],
  ['the native token under the symbol', { changes: [{ ...change, contract: '' }] }],
  ['an NFT', { changes: [{ ...change, tokenId: '7' }] }],
  ['another receiver', { changes: [{ ...change, counterparty: ALICE }] }],
  ['what arrives', { changes: [{ ...change, isOutgoing: false }] }],
  ['the transfer twice', { changes: [change, change] }],
  ['a transfer that fails', { outcome: 'reverts' }],
  ['what was not simulated', { outcome: 'notSimulated' }],
])('leaves a preview as it is: %s', (_, difference) => {
  const other = { ...preview, ...difference }
  expect(withoutReviewed(other, draft)).toBe(other)
})
