import { defineNetwork, type TokenBalance } from '@hawser/core'
import { describe, expect, it } from 'vitest'
import { paymentUri } from './paymentUri.ts'

const ADDRESS = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

const solana = defineNetwork({
  id: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  name: 'Solana',
  chainNamespace: 'solana',
  nativeCurrency: { name: 'Solana', symbol: 'SOL', decimals: 9 },
})
const bitcoin = defineNetwork({
  id: '000000000019d6689c085ae165831e93',
  name: 'Bitcoin',
  chainNamespace: 'bip122',
  nativeCurrency: { name: 'Bitcoin', symbol: 'BTC', decimals: 8 },
})
const ethereum = defineNetwork({
  id: 1,
  name: 'Ethereum',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
})
const dollar = {
  symbol: 'USDC',
  address: `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:${MINT}`,
  quantity: { decimals: '6', numeric: '5' },
} as TokenBalance

describe('a payment request', () => {
  it.each([
    ['1.5', '1.5'],
    ['.5', '0.5'],
    ['007', '7'],
    ['2.', '2'],
    ['0.000000001', '0.000000001'],
  ])('of %s SOL is a transfer request of Solana Pay', (amount, exact) => {
    expect(paymentUri({ network: solana, address: ADDRESS, amount })).toBe(
      `solana:${ADDRESS}?amount=${exact}`,
    )
  })

  it('of a token names its mint', () => {
    expect(paymentUri({ network: solana, address: ADDRESS, amount: '3', token: dollar })).toBe(
      `solana:${ADDRESS}?amount=3&spl-token=${MINT}`,
    )
  })

  it('on Bitcoin follows BIP-21', () => {
    expect(paymentUri({ network: bitcoin, address: 'bc1qexample', amount: '0.00000001' })).toBe(
      'bitcoin:bc1qexample?amount=0.00000001',
    )
  })

  it.each(['', '.', '0', '0.00', '1e3', '-1', '0.0000000001'])('has no URI for the amount "%s"', (amount) => {
    expect(paymentUri({ network: solana, address: ADDRESS, amount })).toBeUndefined()
  })

  it('has no more decimals than its token', () => {
    expect(
      paymentUri({ network: solana, address: ADDRESS, amount: '0.0000001', token: dollar }),
    ).toBeUndefined()
  })

  it('has no URI on networks without a standard for it', () => {
    expect(paymentUri({ network: ethereum, address: '0x00', amount: '1' })).toBeUndefined()
  })
})
