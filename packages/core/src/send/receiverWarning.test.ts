import { describe, expect, it } from 'vitest'
import { DOLLAR, DOLLAR_ADDRESS, ETHER } from '../testing/fakeGateway.ts'
import { ALICE, BOB } from '../testing/fakeWallet.ts'
import { initialSend } from './draft.ts'
import { receiverWarning } from './receiverWarning.ts'

const ZERO = `0x${'0'.repeat(40)}`

describe('a receiver', () => {
  it.each([
    ['somebody', DOLLAR, BOB, undefined],
    ['nobody yet', DOLLAR, '', undefined],
    ['the zero address', DOLLAR, ZERO, 'zeroAddress'],
    ['the zero address, of the own currency', ETHER, ZERO, 'zeroAddress'],
    ['the zero address of Solana', DOLLAR, '1'.repeat(32), 'zeroAddress'],
    ["the token's own contract", DOLLAR, DOLLAR_ADDRESS.toLowerCase(), 'tokenContract'],
    ['a contract, of the own currency', ETHER, DOLLAR_ADDRESS, undefined],
    ['the sender', ETHER, ALICE.toLowerCase(), 'ownAddress'],
  ])('that is %s', (_, token, receiverAddress, warning) => {
    expect(receiverWarning({ ...initialSend, token, receiverAddress }, ALICE)).toBe(warning)
  })
})
