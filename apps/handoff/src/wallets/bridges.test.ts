import type { BitcoinProvider, Connector, PolkadotProvider, SolanaProvider } from '@hawser/core'
import type { ApprovedNamespace } from '@hawser/walletconnect'
import { base58, base64 } from '@scure/base'
import { describe, expect, it, vi } from 'vitest'
import { createBitcoinBridge } from './bitcoin.ts'
import { isSigning } from './bridge.ts'
import { failureOf } from './failure.ts'
import { walletsOf } from './pageWallet.ts'
import { createPolkadotBridge } from './polkadot.ts'
import { createSolanaBridge } from './solana.ts'

const MAINNET = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const OLDER = 'solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ'
const BITCOIN = 'bip122:000000000019d6689c085ae165831e93'
const POLKADOT = 'polkadot:91b171bb158e2d3848fa23a9f1c25182'

const key = new Uint8Array(32).fill(7)
const account = base58.encode(key)
const accounts = [{ address: account, type: 'eoa' as const }]

const wantedOf = (chains: readonly string[], methods: readonly string[]) => ({
  chains,
  required: [],
  methods,
  events: ['accountsChanged', 'chainChanged'],
})

/** A transaction of two signers, the account being the second. */
function transactionOf(signature = 0): Uint8Array {
  const message = [0x80, 2, 0, 0, 3, ...new Array(32).fill(1), ...key, ...new Array(32).fill(2)]
  return Uint8Array.from([2, ...new Array(64).fill(9), ...new Array(64).fill(signature), ...message])
}

describe('a Solana wallet', () => {
  const provider = {
    connect: vi.fn(async () => accounts),
    onAccounts: () => () => undefined,
    signMessage: vi.fn(async () => new Uint8Array(64).fill(3)),
    signTransaction: vi.fn(async (_: string, _transaction: Uint8Array) => transactionOf(5)),
  } satisfies SolanaProvider
  const bridge = createSolanaBridge(provider)
  const wanted = wantedOf(
    [MAINNET, OLDER],
    [
      'solana_signMessage',
      'solana_signTransaction',
      'solana_signAllTransactions',
      'solana_signAndSendTransaction',
    ],
  )

  async function ask(method: string, params: object) {
    const approved = (await bridge.approve(wanted)) as ApprovedNamespace
    return bridge.request({ chainId: MAINNET, method, params }, approved)
  }

  it('offers the methods that it has, on networks by their ids of today', async () => {
    expect(await bridge.approve(wanted)).toEqual({
      chains: [MAINNET],
      accounts: [`${MAINNET}:${account}`],
      methods: ['solana_signMessage', 'solana_signTransaction', 'solana_signAllTransactions'],
      events: ['accountsChanged'],
    })
    const own = createSolanaBridge({ ...provider, networks: ['solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'] })
    expect(await own.approve(wanted)).toBeUndefined()
  })

  it('signs messages and transactions in the form of WalletConnect', async () => {
    const bytes = Uint8Array.of(1, 2)
    expect(await ask('solana_signMessage', { pubkey: account, message: base58.encode(bytes) })).toEqual({
      signature: base58.encode(new Uint8Array(64).fill(3)),
    })
    expect(provider.signMessage).toHaveBeenCalledWith(account, bytes)
    const transaction = base64.encode(transactionOf())
    expect(await ask('solana_signTransaction', { pubkey: account, feePayer: 'other', transaction })).toEqual({
      signature: base58.encode(new Uint8Array(64).fill(5)),
      transaction: base64.encode(transactionOf(5)),
    })
    expect(await ask('solana_signAllTransactions', { transactions: [transaction, transaction] })).toEqual({
      transactions: [base64.encode(transactionOf(5)), base64.encode(transactionOf(5))],
    })
    expect(await ask('solana_getAccounts', {})).toEqual([{ pubkey: account }])
  })

  it('refuses what it does not have, and parameters of another form', async () => {
    await expect(ask('solana_signAndSendTransaction', { transaction: '' })).rejects.toMatchObject({
      code: 4200,
    })
    await expect(ask('toString', {})).rejects.toMatchObject({ code: 4200 })
    await expect(ask('solana_signMessage', { message: 1 })).rejects.toMatchObject({ code: -32602 })
  })
})

it('a Bitcoin wallet signs with its addresses for payments, on one network', async () => {
  const psbt = Uint8Array.of(1, 2, 3)
  const signPsbt = vi.fn(async () => Uint8Array.of(4))
  const provider: BitcoinProvider = {
    connect: async () => [
      { address: 'bc1qpay', type: 'payment' },
      { address: 'bc1pord', type: 'ordinal' },
    ],
    onAccounts: () => () => undefined,
    signMessage: async () => 'c2ln',
    signPsbt,
  }
  const bridge = createBitcoinBridge(provider)
  const approved = (await bridge.approve(
    wantedOf([BITCOIN, 'bip122:other'], ['signPsbt', 'signMessage', 'sendTransfer']),
  )) as ApprovedNamespace
  expect(approved).toMatchObject({ accounts: [`${BITCOIN}:bc1qpay`], methods: ['signPsbt', 'signMessage'] })
  const ask = (method: string, params: object) =>
    bridge.request({ chainId: BITCOIN, method, params }, approved)
  expect(await ask('signMessage', { account: 'bc1qpay', address: 'bc1qpay', message: 'a' })).toEqual({
    address: 'bc1qpay',
    signature: 'c2ln',
  })
  const signInputs = [{ address: 'bc1qpay', index: 1 }]
  expect(await ask('signPsbt', { account: 'bc1qpay', psbt: base64.encode(psbt), signInputs })).toEqual({
    psbt: 'BA==',
  })
  expect(signPsbt).toHaveBeenCalledWith('bc1qpay', psbt, [1], BITCOIN)
})

it('a Polkadot extension signs bytes and extrinsics', async () => {
  const signMessage = vi.fn(async () => '0xaa')
  const signPayload = vi.fn(async () => '0xbb')
  const provider: PolkadotProvider = {
    connect: async () => [{ address: '5Grw', type: 'eoa' }],
    onAccounts: () => () => undefined,
    signMessage,
    signPayload,
  }
  const bridge = createPolkadotBridge(provider)
  const approved = (await bridge.approve(
    wantedOf([POLKADOT], ['polkadot_signMessage', 'polkadot_signTransaction']),
  )) as ApprovedNamespace
  const ask = (method: string, params: object) =>
    bridge.request({ chainId: POLKADOT, method, params }, approved)
  expect(await ask('polkadot_signMessage', { address: '5Grw', message: 'a' })).toEqual({ signature: '0xaa' })
  expect(signMessage).toHaveBeenCalledWith('5Grw', Uint8Array.of(97))
  expect(
    await ask('polkadot_signTransaction', { address: '5Grw', transactionPayload: { nonce: '0x1' } }),
  ).toEqual({
    signature: '0xbb',
  })
  expect(signPayload).toHaveBeenCalledWith('5Grw', { nonce: '0x1' }, POLKADOT)
})

it.each([
  [
    { code: 4001, message: 'no' },
    { code: 4001, message: 'no' },
  ],
  [new Error('broken'), { code: -32603, message: 'broken' }],
  ['text', { code: -32603, message: 'The wallet reported an error.' }],
  [{ code: 'ACTION_REJECTED' }, { code: -32603, message: 'The wallet reported an error.' }],
  [
    { code: -32603, message: 'a', data: { originalError: { code: 4902 } } },
    { code: 4902, message: 'a', data: { originalError: { code: 4902 } } },
  ],
])('a failure of a wallet keeps its code: %j', (error, failure) => {
  expect(failureOf(error)).toEqual(failure)
})

it('wallets of a browser are one where no namespace has several, and else one for each name', () => {
  const of = (name: string, chain: Connector['chain']) =>
    ({ id: name, name, type: 'ANNOUNCED', chain }) as Connector
  expect(walletsOf([])).toEqual([])
  const [phantom, ...others] = walletsOf([of('Phantom', 'solana'), of('Browser Wallet', 'eip155')])
  expect(others).toEqual([])
  expect(phantom?.connectors.map(({ chain }) => chain)).toEqual(['eip155', 'solana'])
  const two = walletsOf([of('A', 'eip155'), of('B', 'eip155'), of('A', 'solana')])
  expect(two.map(({ name, connectors }) => [name, connectors.length])).toEqual([
    ['A', 2],
    ['B', 1],
  ])
})

it.each([
  ['personal_sign', true],
  ['eth_signTypedData_v4', true],
  ['eth_sendTransaction', true],
  ['wallet_sendCalls', true],
  ['wallet_grantPermissions', true],
  ['wallet_requestExecutionPermissions', true],
  ['solana_signAllTransactions', true],
  ['sendTransfer', true],
  ['signPsbt', true],
  ['polkadot_signTransaction', true],
  ['wallet_switchEthereumChain', false],
  ['wallet_getCallsStatus', false],
  ['solana_getAccounts', false],
])('what %s does is shown first: %s', (method, isShown) => {
  expect(isSigning(method)).toBe(isShown)
})
