import { parseAbi, recoverTransactionAddress, type SignedAuthorization } from 'viem'
import {
  decodeFunctionData,
  hexToString,
  parseTransaction,
  recoverAuthorizationAddress,
  recoverMessageAddress,
  stringToHex,
} from 'viem/utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { providerOf } from '../testing/listing.ts'
import { createMemoryStorage } from '../testing/memoryStorage.ts'
import { type DevWalletOptions, devWallet } from './devWallet.ts'

const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

interface Call {
  readonly url: string
  readonly method: string
  readonly params: readonly unknown[]
}

let calls: Call[]
let storage: ReturnType<typeof createMemoryStorage>

const answers: Record<string, unknown> = {
  eth_getTransactionCount: '0x5',
  eth_estimateGas: '0x5208',
  eth_gasPrice: '0x3b9aca00',
  eth_blockNumber: '0x10',
  eth_sendRawTransaction: `0x${'cd'.repeat(32)}`,
}

beforeEach(() => {
  calls = []
  storage = createMemoryStorage()
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const { method, params } = JSON.parse(String(init.body))
    calls.push({ url, method, params })
    if (method === 'eth_call') return Response.json({ error: { code: 3, message: 'execution reverted' } })
    return Response.json({ result: answers[method] })
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
})

const nodes = { 31337: 'http://one.test', 31338: 'http://two.test' }

async function connected(options: Partial<DevWalletOptions> = {}) {
  const wallet = await providerOf(devWallet({ rpcUrls: nodes, ...options }))
  await wallet.request({ method: 'eth_requestAccounts' })
  return wallet
}

const rawTransactions = () =>
  calls
    .filter(({ method }) => method === 'eth_sendRawTransaction')
    .map(({ params }) => params[0] as `0x${string}`)

describe('the dev wallet', () => {
  it('holds an account of the standard mnemonic, or the key it is given', async () => {
    const second = await connected({ mnemonicIndex: 1 })
    expect(await second.request({ method: 'eth_accounts' })).toEqual([BOB])
    const privateKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
    const own = await connected({ privateKey })
    expect(await own.request({ method: 'eth_accounts' })).toEqual([ALICE])
  })

  it('signs messages that recover to its account', async () => {
    const wallet = await connected()
    const message = stringToHex('Hello, Hawser')
    const signature = await wallet.request({ method: 'personal_sign', params: [message, ALICE] })
    expect(
      await recoverMessageAddress({ message: hexToString(message), signature: signature as `0x${string}` }),
    ).toBe(ALICE)
  })

  it('signs transactions and sends them to the node of its chain', async () => {
    const wallet = await connected({ chainId: 31338 })
    const transaction = {
      from: ALICE,
      to: BOB,
      data: '0x',
      value: '0xde0b6b3a7640001',
      gasPrice: '0x77359400',
    }
    const hash = await wallet.request({ method: 'eth_sendTransaction', params: [transaction] })
    expect(hash).toBe(answers.eth_sendRawTransaction)
    expect(new Set(calls.map(({ url }) => url))).toEqual(new Set(['http://two.test']))

    const [raw] = rawTransactions()
    expect(parseTransaction(raw as `0x${string}`)).toMatchObject({
      chainId: 31338,
      to: BOB.toLowerCase(),
      value: 1_000_000_000_000_000_001n,
      gasPrice: 2_000_000_000n,
      gas: 21_000n,
      nonce: 5,
    })
    expect(await recoverTransactionAddress({ serializedTransaction: raw as never })).toBe(ALICE)
  })

  it('uses the requested gas', async () => {
    const wallet = await connected()
    await wallet.request({ method: 'eth_sendTransaction', params: [{ from: ALICE, to: BOB, gas: '0xffff' }] })
    expect(parseTransaction(rawTransactions()[0] as `0x${string}`).gas).toBe(65_535n)
    expect(calls.map(({ method }) => method)).not.toContain('eth_estimateGas')
  })

  it('sends transactions one at a time', async () => {
    const wallet = await connected()
    const send = () => wallet.request({ method: 'eth_sendTransaction', params: [{ from: ALICE, to: BOB }] })
    await Promise.all([send(), send()])
    const order = calls
      .map(({ method }) => method)
      .filter((method) => method === 'eth_getTransactionCount' || method === 'eth_sendRawTransaction')
    expect(order).toEqual([
      'eth_getTransactionCount',
      'eth_sendRawTransaction',
      'eth_getTransactionCount',
      'eth_sendRawTransaction',
    ])
  })

  it('reads through the node, errors included', async () => {
    const wallet = await connected()
    expect(await wallet.request({ method: 'eth_blockNumber' })).toBe('0x10')
    await expect(wallet.request({ method: 'eth_call', params: [{}] })).rejects.toMatchObject({
      code: 3,
      message: 'execution reverted',
    })
  })

  it('adds a chain with the given node', async () => {
    const wallet = await connected()
    await wallet.request({
      method: 'wallet_addEthereumChain',
      params: [{ chainId: '0x1', rpcUrls: ['http://three.test'] }],
    })
    await wallet.request({ method: 'eth_blockNumber' })
    expect(calls.at(-1)?.url).toBe('http://three.test')
  })
})

describe('batches of calls', () => {
  const delegate = '0x00000000000000000000000000000000000000d1'
  const batchAccounts = { 31337: delegate } as const
  const calls = [
    { to: BOB, data: '0x1234' },
    { to: ALICE, value: '0x5' },
  ]
  const batch = { version: '2.0.0', from: ALICE, chainId: '0x7a69', atomicRequired: true, calls }
  const abi = parseAbi(['function execute((address to, uint256 value, bytes data)[] calls) payable'])

  beforeEach(() => {
    answers.eth_getCode = '0x'
    answers.eth_maxPriorityFeePerGas = '0x1'
  })

  it.each(['wallet_getCapabilities', 'wallet_sendCalls', 'wallet_getCallsStatus'])(
    'are not of a wallet without contracts for them: %s',
    async (method) => {
      const wallet = await connected()
      await expect(wallet.request({ method, params: [ALICE] })).rejects.toMatchObject({ code: 4200 })
    },
  )

  it('are announced for the chains on which they work', async () => {
    const wallet = await connected({ batchAccounts })
    const params = [ALICE, ['0x7a69', '0x7a6a']]
    expect(await wallet.request({ method: 'wallet_getCapabilities', params })).toEqual({
      '0x7a69': { atomic: { status: 'supported' } },
    })
  })

  it('are one transaction to the account itself, which borrows the code for it', async () => {
    const wallet = await connected({ batchAccounts })
    const answer = await wallet.request({ method: 'wallet_sendCalls', params: [batch] })
    expect(answer).toEqual({ id: answers.eth_sendRawTransaction })

    const sent = parseTransaction(rawTransactions()[0] as `0x${string}`)
    expect(sent).toMatchObject({ type: 'eip7702', to: ALICE.toLowerCase(), nonce: 5, gas: 27_300n })
    const [authorization] = sent.authorizationList ?? []
    expect(authorization).toMatchObject({ address: delegate, chainId: 31337, nonce: 6 })
    expect(await recoverAuthorizationAddress({ authorization: authorization as SignedAuthorization })).toBe(
      ALICE,
    )
    expect(decodeFunctionData({ abi, data: sent.data ?? '0x' }).args).toEqual([
      [
        { to: BOB, value: 0n, data: '0x1234' },
        { to: ALICE, value: 5n, data: '0x' },
      ],
    ])
  })

  it('need no second authorization', async () => {
    answers.eth_getCode = `0xef0100${delegate.slice(2)}`
    const wallet = await connected({ batchAccounts })
    await wallet.request({ method: 'wallet_sendCalls', params: [batch] })
    expect(parseTransaction(rawTransactions()[0] as `0x${string}`).type).toBe('eip1559')
  })

  it('report their status', async () => {
    const wallet = await connected({ batchAccounts })
    await wallet.request({ method: 'wallet_sendCalls', params: [{ ...batch, id: '0xb1' }] })
    const status = () => wallet.request({ method: 'wallet_getCallsStatus', params: ['0xb1'] })
    answers.eth_getTransactionReceipt = null
    expect(await status()).toEqual({
      version: '2.0.0',
      id: '0xb1',
      chainId: '0x7a69',
      atomic: true,
      status: 100,
    })
    answers.eth_getTransactionReceipt = { status: '0x1', transactionHash: '0xcd', logs: [] }
    expect(await status()).toMatchObject({ status: 200, receipts: [{ transactionHash: '0xcd' }] })
    answers.eth_getTransactionReceipt = { status: '0x0', transactionHash: '0xcd', logs: [] }
    expect(await status()).toMatchObject({ status: 500 })
  })

  it.each([
    ['on a chain without them', { chainId: '0x7a6a' }, 5710],
    ['of another version', { version: '1.0' }, -32602],
    ['without a call', { calls: [] }, -32602],
    ['with a call to nobody', { calls: [{ data: '0x00' }] }, -32602],
    ['that need what the wallet does not have', { capabilities: { paymasterService: {} } }, 5700],
  ])('are refused %s', async (_, change, code) => {
    const wallet = await connected({ batchAccounts })
    const params = [{ ...batch, ...change }]
    await expect(wallet.request({ method: 'wallet_sendCalls', params })).rejects.toMatchObject({ code })
    expect(rawTransactions()).toEqual([])
  })

  it('are not sent when the visitor declines', async () => {
    const wallet = await connected({ batchAccounts, features: { sendError: true } })
    const sent = wallet.request({ method: 'wallet_sendCalls', params: [batch] })
    await expect(sent).rejects.toMatchObject({ code: 4001 })
    expect(rawTransactions()).toEqual([])
  })
})

describe('on the next visit', () => {
  it('is still connected, on the chain it was on', async () => {
    const wallet = await connected()
    await wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x7a6a' }] })
    const next = await providerOf(devWallet({ rpcUrls: nodes }))
    expect(await next.request({ method: 'eth_accounts' })).toEqual([ALICE])
    expect(await next.request({ method: 'eth_chainId' })).toBe('0x7a6a')
  })

  it('is not connected when it was disconnected', async () => {
    const wallet = await connected()
    await wallet.request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] })
    const next = await providerOf(devWallet({ rpcUrls: nodes }))
    expect(await next.request({ method: 'eth_accounts' })).toEqual([])
  })

  it('starts on the default chain when the stored one has no node any more', async () => {
    storage.setItem('@hawser/v1/dev_wallet', JSON.stringify({ isAuthorised: true, chainId: 5 }))
    const next = await providerOf(devWallet({ rpcUrls: nodes }))
    expect(await next.request({ method: 'eth_chainId' })).toBe('0x7a69')
  })
})
