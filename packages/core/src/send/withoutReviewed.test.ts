import { expect, it } from 'vitest'
import { DOLLAR } from '../testing/fakeGateway.ts'
import { ALICE, BOB } from '../testing/fakeWallet.ts'
import type { Preview } from '../types/preview.ts'
import { initialSend } from './draft.ts'
import { withoutReviewed } from './withoutReviewed.ts'

const draft = { ...initialSend, token: DOLLAR, sendTokenAmount: '12.50', receiverAddress: BOB }
const change = {
  amount: '12.5',
  symbol: 'tUSD',
  tokenId: '',
  isOutgoing: true,
  counterparty: BOB.toLowerCase(),
}
const drains = {
  severity: 'danger',
  text: 'Nearly all leaves.',
  phrase: 'DRAINS',
  value: BOB,
  subject: '',
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
  const other = { ...change, symbol: 'ETH', counterparty: ALICE }
  const left = { ...drains, value: ALICE }
  expect(
    withoutReviewed({ ...preview, changes: [change, other], warnings: [drains, left] }, draft),
  ).toMatchObject({ changes: [other], warnings: [left] })
})

it.each<[string, Partial<Preview>]>([
  ['another amount', { changes: [{ ...change, amount: '12.51' }] }],
  ['an amount without a bound', { changes: [{ ...change, amount: undefined }] }],
  ['another token', { changes: [{ ...change, symbol: 'ETH' }] }],
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
