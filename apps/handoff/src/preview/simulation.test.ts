import { expect, it } from 'vitest'
import { amountText } from './amount.ts'
import { messageText, signerOf, simulationOf } from './simulation.ts'

const to = '0x1111111111111111111111111111111111111111'

it.each([
  ['personal_sign', ['0x6869', to], { message: '0x6869' }],
  ['personal_sign', ['hi', to], { message: '0x6869' }],
  ['eth_signTypedData_v4', [to, '{"a":1}'], { typedData: '{"a":1}' }],
  ['eth_signTypedData', [to, { a: 1 }], { typedData: '{"a":1}' }],
  ['eth_sendTransaction', [{ to, value: '0xa' }], { calls: [{ to, value: '10', data: '0x' }] }],
  [
    'eth_sendTransaction',
    [{ input: '0x60', gas: '0x5208', gasPrice: '0x2', maxPriorityFeePerGas: '0x1' }],
    {
      calls: [{ to: '', value: '0', data: '0x60', gas: 21000 }],
      maxFeePerGas: '2',
      maxPriorityFeePerGas: '1',
    },
  ],
  [
    'wallet_sendCalls',
    [{ calls: [{ to, data: '0x01' }], atomicRequired: true }],
    { calls: [{ to, value: '0', data: '0x01' }], atomic: true },
  ],
  ['solana_signMessage', { message: '8wr' }, { message: '0x6869' }],
  ['solana_signTransaction', { transaction: 'AQ==' }, { transaction: 'AQ==' }],
  ['solana_signAllTransactions', { transactions: ['AQ==', 'Ag=='] }, { transactions: ['AQ==', 'Ag=='] }],
  ['signPsbt', {}, undefined],
])('%s of %j is previewed as it is signed', (method, params, simulation) => {
  expect(simulationOf(method, params, 'eip155:1')).toEqual(simulation)
})

it.each([
  ['personal_sign', [to, '0x6869']],
  ['eth_signTypedData', [[{ name: 'a', type: 'string', value: 'b' }], to]],
  ['eth_sendTransaction', [{ to, data: '0x01', input: '0x02' }]],
  ['eth_sendTransaction', [{ to, chainId: '0xa' }]],
  ['eth_sendTransaction', [{ to, authorizationList: [{}] }]],
  ['eth_sendTransaction', [{ to: [to], value: '0xa' }]],
  ['eth_sendTransaction', [{ to, data: ['0x01'] }]],
  ['eth_sendTransaction', { to, value: '0xa' }],
  ['personal_sign', { 0: '0x6869', 1: to }],
  ['wallet_sendCalls', [{ chainId: '0xa', calls: [{ to }] }]],
  ['wallet_sendCalls', [{ chainId: '0x1', calls: [{ to, chainId: '0xa' }] }]],
])('%s of %j is not previewed, because wallets read it in different ways', (method, params) => {
  expect(() => simulationOf(method, params, 'eip155:1')).toThrow()
})

const other = '0xAb16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb'
it.each([
  ['personal_sign', ['0x6869', other], other],
  ['personal_sign', ['0x6869'], to],
  ['eth_signTypedData_v4', [other, '{}'], other],
  ['eth_sendTransaction', [{ from: other.toLowerCase(), to }], other],
  ['eth_sendTransaction', [{ to }], to],
  ['solana_signTransaction', { pubkey: other, feePayer: to, transaction: 'AQ==' }, other],
  ['solana_signTransaction', { feePayer: 'another', transaction: 'AQ==' }, to],
])('%s of %j is previewed for the account that signs it', (method, params, account) => {
  expect(signerOf(method, params, [to, other])).toBe(account)
})

it('no preview is of an account that the session does not have', () => {
  expect(() => signerOf('eth_sendTransaction', [{ from: other }], [to])).toThrow()
})

it('a message is a text only if its bytes are', () => {
  expect(messageText('0x6869')).toBe('hi')
  expect(messageText('0xff')).toBeUndefined()
})

it.each([
  [1_500_000_000_000_000_001n, 18, 'en', '1.500000000000000001'],
  [1_234_567_890n, 6, 'de', '1.234,56789'],
  [1_000n, 0, 'en', '1,000'],
  [5n, 18, 'fr', '0,000000000000000005'],
  [1_500_000n, 6, 'ar', '1.5'],
])('%s with %s decimals is written in %s digit for digit', (amount, decimals, tag, text) => {
  expect(amountText(amount, decimals, tag)).toBe(text)
})
