import { describe, expect, it } from 'vitest'
import { ALICE, BOB } from '../testing/fakeWallet.ts'
import { dollarInfo, transaction, transfer } from '../testing/transactions.ts'
import type { ActivityTransaction, ActivityTransfer } from '../types/activity.ts'
import { counterpartiesOf, doubtAbout, isPoisoned } from './counterparties.ts'

const CAROL = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
/** Its ends are those of Bob's address. */
const LIKE_BOB = '0x7099000000000000000000000000000000DC79c8'
const LIKE_ALICE = '0xf39f000000000000000000000000000000002266'

const fakeDollar = { ...dollarInfo, address: 'eip155:31337:0xFA4e00000000000000000000000000000000FA4E' }
const nft = (isSpam: boolean) => ({
  name: 'Free mint',
  flags: { isSpam },
  address: 'eip155:31337:0xa',
  tokenId: '7',
  standard: 'erc721',
})

let number = 0
const row = (moved: Partial<ActivityTransfer>, metadata: Partial<ActivityTransaction['metadata']> = {}) =>
  transaction(++number, metadata, [transfer(moved)])
const sendTo = (recipient: string, moved: Partial<ActivityTransfer> = {}) =>
  row({ direction: 'out', sender: ALICE, recipient, ...moved }, { operationType: 'send', sentFrom: ALICE })
const receiveFrom = (sender: string, moved: Partial<ActivityTransfer> = {}) => row({ sender, ...moved })
const nothing = { quantity: { numeric: '0.000000' } }

const dealings = (...history: ActivityTransaction[]) =>
  Object.fromEntries(
    [...counterpartiesOf(history, [ALICE]).values()].map(({ address, dealing }) => [address, dealing]),
  )

describe('the counterparties of an account', () => {
  it.each<[string, string, ActivityTransaction]>([
    ['sentTo', 'a transfer', sendTo(BOB)],
    ['sentTo', 'the transfer of a token', sendTo(BOB, { fungibleInfo: dollarInfo })],
    ['sentTo', 'a transfer of one wei', sendTo(BOB, { quantity: { numeric: '0.000000000000000001' } })],
    ['receivedFrom', 'a payment', receiveFrom(BOB)],
    ['receivedFrom', 'a payment of some worth', receiveFrom(BOB, { value: 0.1 })],
    ['receivedFrom', 'a payment without a price', receiveFrom(BOB, { quantity: { numeric: '0.00001' } })],
    ['receivedFrom', 'an NFT', receiveFrom(BOB, { nftInfo: nft(false), quantity: { numeric: '1' } })],
    ['suspect', 'a transfer of nothing', receiveFrom(BOB, nothing)],
    ['suspect', 'dust with a price', receiveFrom(BOB, { value: 0.09 })],
    ['suspect', 'dust without a price', receiveFrom(BOB, { quantity: { numeric: '0.00000999' } })],
    [
      'suspect',
      'a token that imitates',
      receiveFrom(BOB, { fungibleInfo: { ...fakeDollar, warning: 'look_alike' } }),
    ],
    ['suspect', 'a spam NFT', receiveFrom(BOB, { nftInfo: nft(true), quantity: { numeric: '1' } })],
    ['suspect', 'what only a token claims', receiveFrom(BOB, { spam: true })],
    ['suspect', 'a transfer to it that only a token claims', sendTo(BOB, { spam: true })],
    ['suspect', 'a row of spam', { ...receiveFrom(BOB), spam: true }],
  ])('are %s by %s', (dealing, _, transaction) => {
    expect(dealings(transaction)).toEqual({ [ALICE]: 'own', [BOB]: dealing })
  })

  it.each([
    ['an allowance', row({ direction: 'out', recipient: BOB }, { operationType: 'approve' })],
    ['a call that moves nothing', sendTo(BOB, nothing)],
    ['a failed transaction', row({ direction: 'out', recipient: BOB }, { status: 'failed' })],
    ['a mint', receiveFrom(`0x${'0'.repeat(40)}`)],
    ['an unknown sender', receiveFrom('')],
    ['a transfer to oneself', row({ direction: 'self', recipient: ALICE })],
  ])('are not made by %s', (_, transaction) => {
    expect(dealings(transaction)).toEqual({ [ALICE]: 'own' })
  })

  it('are what they are by their surest dealing, in whatever order', () => {
    const history = [receiveFrom(BOB, nothing), sendTo(BOB.toLowerCase()), receiveFrom(BOB)]
    expect(dealings(...history)[BOB.toLowerCase()]).toBe('sentTo')
    expect(dealings(...history.reverse())[BOB.toLowerCase()]).toBe('sentTo')
    expect(dealings(receiveFrom(CAROL, nothing), receiveFrom(CAROL))[CAROL]).toBe('receivedFrom')
    expect(dealings(sendTo(ALICE))[ALICE]).toBe('own')
  })
})

describe('an address', () => {
  const doubt = (address: string, ...history: ActivityTransaction[]) =>
    doubtAbout(address, counterpartiesOf(history, [ALICE]))

  it('is doubted that looks like one which the account sent to', () => {
    const known = { address: BOB, dealing: 'sentTo' }
    expect(doubt(LIKE_BOB, sendTo(BOB))).toEqual({ kind: 'lookAlike', known, isKnownReal: true })
  })

  it('is doubted that looks like an own one', () => {
    expect(doubt(LIKE_ALICE)).toMatchObject({ kind: 'lookAlike', known: { address: ALICE, dealing: 'own' } })
  })

  it('is doubted that paid and looks like one which the account sent to: an attacker can pay', () => {
    expect(doubt(LIKE_BOB, receiveFrom(LIKE_BOB), sendTo(BOB))).toMatchObject({ known: { address: BOB } })
  })

  it('is doubted that looks like one which paid', () => {
    expect(doubt(LIKE_BOB, receiveFrom(LIKE_BOB, nothing), receiveFrom(BOB))).toEqual({
      kind: 'lookAlike',
      known: { address: BOB, dealing: 'receivedFrom' },
      isKnownReal: true,
    })
  })

  it('is doubted like the other one when both paid', () => {
    const history = [receiveFrom(BOB), receiveFrom(LIKE_BOB)]
    expect(doubt(LIKE_BOB, ...history)).toMatchObject({ known: { address: BOB }, isKnownReal: false })
    expect(doubt(BOB, ...history)).toMatchObject({ known: { address: LIKE_BOB }, isKnownReal: false })
  })

  it('is doubted that is only known by a transfer of nothing', () => {
    expect(doubt(CAROL, receiveFrom(CAROL, nothing))).toEqual({ kind: 'suspect' })
  })

  it('is not doubted that the account sent to, whatever looks like it', () => {
    expect(doubt(BOB, sendTo(BOB), receiveFrom(LIKE_BOB, nothing))).toBeUndefined()
    expect(doubt(LIKE_BOB, sendTo(BOB), sendTo(LIKE_BOB))).toBeUndefined()
  })

  it.each([
    ['is new', CAROL],
    ['paid', BOB],
    ['is the own one', ALICE],
  ])('is not doubted that %s', (_, address) => {
    expect(doubt(address, receiveFrom(BOB))).toBeUndefined()
  })
})

describe('a poisoned transfer', () => {
  const poison = receiveFrom(LIKE_BOB, nothing)
  const poisoned = (transaction: ActivityTransaction, ...others: ActivityTransaction[]) =>
    isPoisoned(transaction, counterpartiesOf([transaction, ...others], [ALICE]))

  it('brings an address that looks like another one of the history', () => {
    expect(poisoned(poison, sendTo(BOB))).toBe(true)
    expect(poisoned(sendTo(LIKE_BOB, { spam: true }), sendTo(BOB))).toBe(true)
  })

  it('is not one whose address looks like none', () => {
    expect(poisoned(poison)).toBe(false)
    expect(poisoned(receiveFrom(CAROL, nothing), sendTo(BOB))).toBe(false)
  })

  it('is not the one that it imitates', () => {
    expect(poisoned(sendTo(BOB), poison)).toBe(false)
    expect(poisoned(receiveFrom(BOB), poison)).toBe(false)
  })
})
