import { describe, expect, it } from 'vitest'
import { readPaymentUri } from './paymentUri.ts'

const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const USD = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const SOL = 'mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN'
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const BTC = '175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W'

describe('a payment request', () => {
  it.each([
    [`ethereum:${TO}`, { namespace: 'eip155', receiver: TO }],
    [`ETHEREUM:${TO}`, { namespace: 'eip155', receiver: TO }],
    [`ethereum:pay-${TO}@31337`, { namespace: 'eip155', receiver: TO, caipNetworkId: 'eip155:31337' }],
    ['ethereum:ada.eth', { namespace: 'eip155', receiver: 'ada.eth' }],
    [
      `ethereum:${TO}@1?value=2.014e18&gas=21000`,
      { namespace: 'eip155', receiver: TO, caipNetworkId: 'eip155:1', amount: 2_014_000_000_000_000_000n },
    ],
    [`ethereum:${TO}?value=1000`, { namespace: 'eip155', receiver: TO, amount: 1000n }],
    [
      `ethereum:${USD}@1/transfer?address=${TO}&uint256=1e6`,
      {
        namespace: 'eip155',
        receiver: TO,
        token: USD,
        caipNetworkId: 'eip155:1',
        amount: 1_000_000n,
      },
    ],
    [`bitcoin:${BTC}`, { namespace: 'bip122', receiver: BTC }],
    [`bitcoin:${BTC}?amount=20.3&label=Luke-Jr`, { namespace: 'bip122', receiver: BTC, amount: '20.3' }],
    [
      'BITCOIN:BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4?amount=.1',
      { namespace: 'bip122', receiver: 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', amount: '0.1' },
    ],
    [`solana:${SOL}?amount=1&label=Shop`, { namespace: 'solana', receiver: SOL, amount: '1' }],
    [
      `solana:${SOL}?amount=0.01&spl-token=${MINT}`,
      { namespace: 'solana', receiver: SOL, token: MINT, amount: '0.01' },
    ],
  ])('%s is read', (uri, request) => {
    expect(readPaymentUri(uri)).toEqual(request)
  })

  it.each([
    'ethereum:',
    `ethereum:${TO}@0`,
    `ethereum:${TO}@one`,
    `ethereum:${TO}?value=-1`,
    `ethereum:${TO}?value=1.5`,
    `ethereum:${TO}?value=0x10`,
    `ethereum:${TO}?value=1e99`,
    `ethereum:${TO}?value=1&value=2`,
    `ethereum:${USD}/approve?address=${TO}&uint256=1`,
    `ethereum:${USD}/transfer?uint256=1`,
    `ethereum:${USD}/transfer?address=${TO}&uint256=1&value=1`,
    'bitcoin:',
    `bitcoin:${BTC}?amount=1e3`,
    `bitcoin:${BTC}?amount=1,5`,
    `bitcoin:${BTC}?req-somethingyoudontunderstand=50`,
    `solana:${SOL}?amount=1&reference=${MINT}`,
    `solana:${SOL}?amount=1&memo=order`,
    'solana:https://shop.test/pay',
    `solana:${SOL}?amount=-1`,
    `litecoin:${BTC}`,
    `ethereum:${TO}?label=${'a'.repeat(2_000)}`,
    TO,
  ])('%s is refused', (uri) => {
    expect(readPaymentUri(uri)).toBeUndefined()
  })
})
