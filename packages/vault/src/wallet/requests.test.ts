import {
  keccak256,
  parseTransaction,
  recoverMessageAddress,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  zeroAddress,
} from 'viem'
import { describe, expect, it, vi } from 'vitest'
import { BundlerError, failingCalls } from '../smartAccount/bundlerClient.ts'
import { ADDRESS, answers, CHAIN, SOLANA_CHAIN, openRequests as setUp, TO } from '../testing/requests.ts'
import type { Sheet } from './approvals.ts'
import { FrameError } from './frameError.ts'
import { UnansweredError } from './node.ts'

const reject = (sheet: Sheet) => sheet.reject()

describe('a method', () => {
  it('that reads is sent to the network without a click', async () => {
    const { request, contents } = await setUp(reject)
    expect(await request({ method: 'eth_blockNumber' })).toBe('0x10')
    expect(contents()).toEqual([])
  })

  it.each(['eth_sign', 'constructor', '__proto__', 'eth_sendUserOperation'])(
    '%s is refused',
    async (method) => {
      const { request, node } = await setUp()
      await expect(request({ method })).rejects.toMatchObject({
        message: 'Requested RPC call is not allowed',
        code: 4200,
      })
      expect(node).not.toHaveBeenCalled()
    },
  )

  it('that signs needs a session', async () => {
    const { request, vault } = await setUp()
    vault.isSignedIn.mockResolvedValue(false)
    await expect(request({ method: 'personal_sign', params: ['0x61', ADDRESS] })).rejects.toMatchObject({
      code: 4100,
    })
  })

  it('is answered for the account of the wallet', async () => {
    const { request } = await setUp()
    expect(await request({ method: 'eth_accounts' })).toEqual([ADDRESS])
    expect(await request({ method: 'eth_chainId' })).toBe('0x7a69')
    expect(await request({ method: 'eth_chainId', chainId: 1 })).toBe('0x1')
    expect(await request({ method: 'wallet_getCapabilities', params: [ADDRESS, ['0x1']] })).toEqual({
      '0x1': { atomic: { status: 'unsupported' } },
    })
  })
})

describe('personal_sign', () => {
  it.each([
    ['hex', '0x68656c6c6f', 'hello', [0, 1]],
    ['text', 'hello', 'hello', [0, 1]],
    ['swapped parameters', '0x68656c6c6f', 'hello', [1, 0]],
  ])('shows and signs %s', async (_, message, text, order) => {
    const { request, contents } = await setUp()
    const pair = [message, ADDRESS]
    const signature = await request({ method: 'personal_sign', params: order.map((at) => pair[at]) })
    expect(contents()).toEqual([{ kind: 'message', text, hex: '0x68656c6c6f' }])
    expect(await recoverMessageAddress({ message: text, signature: signature as `0x${string}` })).toBe(
      ADDRESS,
    )
  })

  it('shows bytes that are no text as such', async () => {
    const { request, contents } = await setUp()
    await request({ method: 'personal_sign', params: ['0xff00', ADDRESS] })
    expect(contents()[0]).toMatchObject({ text: undefined, hex: '0xff00' })
  })

  it('signs nothing when the user rejects, or for another account', async () => {
    const { request, vault } = await setUp(reject)
    await expect(request({ method: 'personal_sign', params: ['0x61', ADDRESS] })).rejects.toMatchObject({
      code: 4001,
    })
    await expect(request({ method: 'personal_sign', params: ['0x61', TO] })).rejects.toMatchObject({
      code: 4100,
    })
    expect(vault.sign).not.toHaveBeenCalled()
  })
})

describe('eth_signTypedData_v4', () => {
  const data = (chainId?: number) => ({
    domain: { name: 'Shop', ...(chainId ? { chainId } : {}) },
    types: { Order: [{ name: 'amount', type: 'uint256' }] },
    primaryType: 'Order' as const,
    message: { amount: '5' },
  })

  const sessionProof = (primaryType: string) => ({
    ...data(),
    domain: { name: 'Hawser Sessions at https://wallet.example', version: '1', chainId: 31337 },
    types: { [primaryType]: [{ name: 'account', type: 'address' }] },
    primaryType,
    message: { account: ADDRESS },
  })

  it.each([[JSON.stringify(data(31337))], [data()], [sessionProof('ListSessions')]])(
    'signs %s',
    async (value) => {
      const { request } = await setUp()
      const signature = await request({ method: 'eth_signTypedData_v4', params: [ADDRESS, value] })
      const signed = typeof value === 'string' ? JSON.parse(value) : value
      expect(await recoverTypedDataAddress({ ...signed, signature: signature as `0x${string}` })).toBe(
        ADDRESS,
      )
    },
  )

  it.each([
    ['another network', data(1)],
    ['no JSON', '{'],
    ['an unknown type', { ...data(), primaryType: 'toString' }],
    ['a revocation of a session', sessionProof('RevokeSession')],
    ['a revocation of all sessions', sessionProof('RevokeAllSessions')],
    ['a proof of the account', { ...data(), types: { WalletOwner: [] }, primaryType: 'WalletOwner' }],
  ])('refuses %s', async (_, value) => {
    const { request, contents } = await setUp()
    await expect(request({ method: 'eth_signTypedData_v4', params: [ADDRESS, value] })).rejects.toMatchObject(
      {
        code: -32602,
      },
    )
    expect(contents()).toEqual([])
  })
})

describe('eth_sendTransaction', () => {
  it('fills in, shows, signs and sends a transaction', async () => {
    const { request, node, contents } = await setUp()
    const hash = await request({
      method: 'eth_sendTransaction',
      params: [{ from: ADDRESS, to: TO, value: '0x5' }],
    })
    expect(hash).toBe(`0x${'ab'.repeat(32)}`)
    const maxFee = 21_000n * (2_000_000_000n + 1n)
    expect(contents()).toEqual([
      {
        kind: 'calls',
        calls: [{ to: TO, value: 5n, data: '0x', gas: 21_000n }],
        isAtomic: false,
        maxFee,
        fees: { type: 'eip1559', maxFeePerGas: 2_000_000_001n, maxPriorityFeePerGas: 1n },
        isHighFee: false,
        delegate: undefined,
      },
    ])
    const [, , sent] = node.mock.calls.find(([, method]) => method === 'eth_sendRawTransaction') ?? []
    const [raw] = (sent ?? []) as `0x02${string}`[]
    if (!raw) throw new Error('nothing was sent')
    expect(parseTransaction(raw)).toMatchObject({
      chainId: 31337,
      nonce: 7,
      gas: 21_000n,
      value: 5n,
      type: 'eip1559',
    })
    expect(await recoverTransactionAddress({ serializedTransaction: raw })).toBe(ADDRESS)
  })

  it.each([
    ['an authorization', { to: TO, authorizationList: [{}] }],
    ['odd hex digits', { to: TO, data: '0x123' }],
    ['a receiver that is none', { to: '0x12' }],
    ['another chain', { to: TO, chainId: '0x1' }],
  ])('refuses %s', async (_, transaction) => {
    const { request, contents } = await setUp()
    await expect(request({ method: 'eth_sendTransaction', params: [transaction] })).rejects.toMatchObject({
      code: -32602,
    })
    expect(contents()).toEqual([])
  })

  it('without an answer may have been sent: the site follows it by its hash', async () => {
    const { request, node } = await setUp()
    node.mockImplementation(async (_, method) => {
      if (method === 'eth_sendRawTransaction') throw new UnansweredError()
      return answers[method]
    })
    const hash = await request({ method: 'eth_sendTransaction', params: [{ to: TO, value: '0x5' }] })
    const [, , sent] = node.mock.calls.find(([, method]) => method === 'eth_sendRawTransaction') ?? []
    const [raw = '0x'] = sent as `0x${string}`[]
    expect(hash).toBe(keccak256(raw))
  })

  const hex = (value: bigint | number) => `0x${value.toString(16)}`
  it.each([
    ['3 times that of the network', { gasPrice: hex(6_000_000_003n) }, false],
    ['more than 3 times that of the network', { gasPrice: hex(6_000_000_004n) }, true],
    ['10 times that of the network', { maxFeePerGas: hex(20_000_000_010n) }, true],
    ['3 times the gas that it needs', { gas: hex(63_000) }, false],
    ['more gas than 3 times what it needs', { gas: hex(63_001) }, true],
    ['twice the gas at twice the price', { gas: hex(42_000), gasPrice: hex(4_000_000_002n) }, true],
  ])('with a fee of the site of %s points it out: %#', async (_, fee, isHighFee) => {
    const { request, contents } = await setUp()
    await request({ method: 'eth_sendTransaction', params: [{ to: TO, ...fee }] })
    expect(contents()).toMatchObject([{ isHighFee }])
  })

  it('refuses more gas than a block has', async () => {
    const { request, node, contents } = await setUp()
    const block = { baseFeePerGas: '0x3b9aca00', gasLimit: hex(30_000_000) }
    node.mockImplementation(async (_, method) =>
      method === 'eth_getBlockByNumber' ? block : answers[method],
    )
    const send = (gas: number) =>
      request({ method: 'eth_sendTransaction', params: [{ to: TO, gas: hex(gas) }] })
    await expect(send(30_000_001)).rejects.toMatchObject({ code: -32602 })
    expect(contents()).toEqual([])
    await send(30_000_000)
    expect(contents()).toMatchObject([{ isHighFee: true }])
  })

  it.each([
    { gasPrice: `0x${(20_000_000_011n).toString(16)}` },
    { maxFeePerGas: `0x${(20_000_000_011n).toString(16)}` },
    { maxPriorityFeePerGas: `0x${(18_000_000_011n).toString(16)}` },
  ])('refuses a fee of the site of more than 10 times that of the network: %j', async (fee) => {
    const { request, contents } = await setUp()
    const sending = request({ method: 'eth_sendTransaction', params: [{ to: TO, ...fee }] })
    await expect(sending).rejects.toMatchObject({ code: -32602 })
    expect(contents()).toEqual([])
  })

  it('may name a fee of one gwei on a network that charges nearly nothing', async () => {
    const { request, node, contents } = await setUp()
    node.mockImplementation(async (_, method) =>
      method === 'eth_getBlockByNumber' ? { baseFeePerGas: '0x1' } : answers[method],
    )
    await request({ method: 'eth_sendTransaction', params: [{ to: TO, gasPrice: '0x3b9aca00' }] })
    // For more gas than that of a transfer, the same price is more than is usual there.
    await request({
      method: 'eth_sendTransaction',
      params: [{ to: TO, gasPrice: '0x3b9aca00', gas: '0x5209' }],
    })
    expect(contents()).toMatchObject([
      { isHighFee: false, maxFee: 21_000_000_000_000n },
      { isHighFee: true, maxFee: 21_001_000_000_000n },
    ])
  })

  it('that would fail is shown with the reason, and sent if the user wants', async () => {
    const { request, node, contents } = await setUp()
    node.mockImplementation(async (_, method) => {
      if (method === 'eth_estimateGas') throw new FrameError('execution reverted: sold out', 3)
      return answers[method]
    })
    await request({ method: 'eth_sendTransaction', params: [{ to: TO, data: '0x1234' }] })
    expect(contents()).toMatchObject([
      { failure: 'execution reverted: sold out', maxFee: 1_500_000n * 2_000_000_001n, isHighFee: false },
    ])
    expect(node.mock.calls.map(([, method]) => method)).toContain('eth_sendRawTransaction')
  })

  it.each([
    ['does not answer', new UnansweredError(), -32603],
    ['refuses for a reason of its own', new FrameError('Call 0x66 to be safe', -32005), -32005],
  ])('is not shown where the network %s', async (_, error, code) => {
    const { request, node, contents } = await setUp()
    node.mockImplementation(async (_, method) => {
      if (method === 'eth_estimateGas') throw error
      return answers[method]
    })
    const sending = request({ method: 'eth_sendTransaction', params: [{ to: TO }] })
    await expect(sending).rejects.toMatchObject({ code })
    expect(contents()).toEqual([])
  })

  it('whose gas cannot be estimated has a high fee for more gas than is usual then', async () => {
    const { request, node, contents } = await setUp()
    node.mockImplementation(async (_, method) => {
      if (method === 'eth_estimateGas') throw new FrameError('execution reverted', 3)
      return answers[method]
    })
    for (const gas of ['0x16e360', '0x1c9c380'])
      await request({ method: 'eth_sendTransaction', params: [{ to: TO, data: '0x1234', gas }] })
    expect(contents()).toMatchObject([{ isHighFee: false }, { isHighFee: true }])
  })

  it('refuses another sender', async () => {
    const { request } = await setUp()
    const params = [{ from: TO, to: TO }]
    await expect(request({ method: 'eth_sendTransaction', params })).rejects.toMatchObject({ code: 4100 })
  })
})

describe('wallet_sendCalls', () => {
  const calls = [
    { to: TO, value: '0x1' },
    { to: TO, data: '0x1234' },
  ]

  it('sends one transaction per call after one approval, with an id that needs no storage', async () => {
    const { request, node, views } = await setUp()
    const answer = (await request({
      method: 'wallet_sendCalls',
      chainId: 1,
      params: [{ from: ADDRESS, chainId: '0x7a69', calls }],
    })) as {
      id: string
    }
    expect(views).toMatchObject([{ view: { chainId: CHAIN } }])
    expect(node.mock.calls.filter(([, method]) => method === 'eth_sendRawTransaction')).toHaveLength(2)

    node.mockResolvedValue({ status: '0x1', transactionHash: '0x1', logs: [] })
    const status = { version: '2.0.0', id: answer.id, chainId: '0x7a69', atomic: false, status: 200 }
    expect(await request({ method: 'wallet_getCallsStatus', params: [answer.id] })).toMatchObject(status)
    node.mockResolvedValueOnce({ status: '0x0' })
    expect(await request({ method: 'wallet_getCallsStatus', params: [answer.id] })).toMatchObject({
      status: 600,
    })
    node.mockResolvedValueOnce(null)
    expect(await request({ method: 'wallet_getCallsStatus', params: [answer.id] })).toMatchObject({
      status: 100,
    })
  })

  it('is refused before the approval when there are too many calls for an id', async () => {
    const { request, node, contents } = await setUp()
    const params = [{ calls: Array.from({ length: 51 }, () => ({ to: TO })) }]
    await expect(request({ method: 'wallet_sendCalls', params })).rejects.toMatchObject({ code: 5740 })
    expect(contents()).toEqual([])
    expect(node.mock.calls.filter(([, method]) => method === 'eth_sendRawTransaction')).toEqual([])
  })

  it('has the fees of the wallet, and shows their sum with room for later calls', async () => {
    const { request, node, contents } = await setUp()
    const price = `0x${(10n ** 18n / 21_000n).toString(16)}`
    const named = calls.map((call) => ({ ...call, gas: '0xffffff', gasPrice: price, nonce: '0x99' }))
    await request({ method: 'wallet_sendCalls', params: [{ from: ADDRESS, calls: named }] })
    const raw = node.mock.calls.flatMap(([, method, params]) =>
      method === 'eth_sendRawTransaction' ? (params as `0x02${string}`[]) : [],
    )
    const sent = raw.map((each) => parseTransaction(each))
    expect(sent).toMatchObject([
      { nonce: 7, gas: 21_000n, maxFeePerGas: 2_000_000_001n },
      { nonce: 8, gas: 21_000n, maxFeePerGas: 2_000_000_001n },
    ])
    const maxFee = (21_000n + 31_500n) * 2_000_000_001n
    expect(contents()).toMatchObject([{ maxFee, isHighFee: false }])
  })

  it('ends before a call whose fee would exceed what was shown, and keeps what was sent', async () => {
    const { request, node } = await setUp()
    let estimates = 0
    node.mockImplementation(async (_, method) =>
      method === 'eth_estimateGas' && ++estimates > 2 ? '0x7b0d' : answers[method],
    )
    const params = [{ from: ADDRESS, calls }]
    expect(await request({ method: 'wallet_sendCalls', params })).toMatchObject({
      capabilities: {
        unsentCalls: {
          indexes: [1],
          message: 'The network fee would be higher than the one that was approved',
        },
      },
    })
    expect(node.mock.calls.filter(([, method]) => method === 'eth_sendRawTransaction')).toHaveLength(1)
  })

  it('has an id and the reason when only some calls could be sent, and then ends as partly done', async () => {
    const { request, node } = await setUp()
    let sent = 0
    node.mockImplementation(async (_, method) => {
      if (method === 'eth_sendRawTransaction' && ++sent > 1)
        throw new FrameError('insufficient funds', -32000)
      return answers[method]
    })
    const params = [{ calls: [...calls, { to: TO }] }]
    const answer = (await request({ method: 'wallet_sendCalls', params })) as { id: string }
    const { id } = answer
    const unsentCalls = { indexes: [1, 2], code: -32000 }
    expect(answer).toEqual({
      id,
      capabilities: { unsentCalls: { ...unsentCalls, message: 'insufficient funds' } },
    })

    const statusFor = async (receipt: object | null) => {
      node.mockImplementation(async () => receipt)
      return request({ method: 'wallet_getCallsStatus', params: [id] })
    }
    expect(await statusFor(null)).toMatchObject({ status: 100, receipts: [] })
    expect(await statusFor({ status: '0x1' })).toMatchObject({
      status: 600,
      receipts: [{ status: '0x1' }],
      capabilities: { unsentCalls },
    })
    expect(await statusFor({ status: '0x0' })).toMatchObject({ status: 500, receipts: [{ status: '0x0' }] })
  })

  it('fails when no call could be sent', async () => {
    const { request, node } = await setUp()
    node.mockImplementation(async (_, method) => {
      if (method === 'eth_sendRawTransaction') throw new FrameError('insufficient funds', -32000)
      return answers[method]
    })
    await expect(request({ method: 'wallet_sendCalls', params: [{ calls }] })).rejects.toMatchObject({
      message: 'insufficient funds',
    })
  })

  it('is refused when the calls must be sent at once', async () => {
    const { request } = await setUp()
    const params = [{ calls, atomicRequired: true }]
    await expect(request({ method: 'wallet_sendCalls', params })).rejects.toMatchObject({ code: 5760 })
  })
})

describe('a smart account with an address of its own', () => {
  const HYBRID = '0x00000000000000000000000000000000000000b1'
  const calls = [{ to: TO, value: '0x1' }]

  async function setUpHybrid() {
    const set = await setUp()
    vi.mocked(set.smartAccounts.addresses).mockResolvedValue([HYBRID])
    vi.mocked(set.smartAccounts.prepare).mockResolvedValue({
      maxFee: 9n,
      checkFee: 0n,
      operation: { callGasLimit: '0x9', maxFeePerGas: '0x3', maxPriorityFeePerGas: '0x2' },
    } as never)
    vi.mocked(set.smartAccounts.send).mockResolvedValue('0xid')
    return set
  }

  it('is the account of the site while the user prefers smart accounts', async () => {
    const { request } = await setUpHybrid()
    expect(await request({ method: 'eth_accounts', params: [] })).toEqual([HYBRID])
  })

  it('sends the calls that name it, and a transaction as an operation', async () => {
    const { request, smartAccounts, views } = await setUpHybrid()
    const status = vi.mocked(smartAccounts.status)
    status.mockResolvedValue({ status: 200, receipts: [{ transactionHash: '0xabc' }] } as never)
    const params = [{ from: HYBRID, calls }]
    expect(await request({ method: 'wallet_sendCalls', params })).toEqual({ id: '0xid' })
    const sent = request({ method: 'eth_sendTransaction', params: [{ from: HYBRID, to: TO, value: '0x1' }] })
    expect(await sent).toBe('0xabc')
    expect(views.flatMap((sheet) => (sheet.kind === 'approval' ? [sheet.view.address] : []))).toEqual([
      HYBRID,
      HYBRID,
    ])
    const expected = [{ to: TO, value: 1n, data: '0x' }]
    expect(smartAccounts.prepare).toHaveBeenLastCalledWith(CHAIN, ADDRESS, expected, HYBRID)
  })

  it('calls with the data of a transaction under either name', async () => {
    const { request, smartAccounts, contents } = await setUpHybrid()
    const status = vi.mocked(smartAccounts.status)
    status.mockResolvedValue({ status: 200, receipts: [{ transactionHash: '0xabc' }] } as never)
    await request({ method: 'eth_sendTransaction', params: [{ from: HYBRID, to: TO, input: '0x1234' }] })
    const expected = [{ to: TO, value: 0n, data: '0x1234' }]
    expect(contents()).toMatchObject([{ calls: expected }])
    expect(smartAccounts.prepare).toHaveBeenLastCalledWith(CHAIN, ADDRESS, expected, HYBRID)
  })

  it('fails with an operation that reverted, although the transaction of the bundler did not', async () => {
    const { request, smartAccounts } = await setUpHybrid()
    const reverted = { status: 500, receipts: [{ transactionHash: '0xabc' }] }
    vi.mocked(smartAccounts.status).mockResolvedValue(reverted as never)
    const sent = request({ method: 'eth_sendTransaction', params: [{ from: HYBRID, to: TO, value: '0x1' }] })
    await expect(sent).rejects.toMatchObject({ message: 'The transaction failed' })
  })

  it('is waited for while its status cannot be read', async () => {
    const { request, smartAccounts } = await setUpHybrid()
    const status = vi.mocked(smartAccounts.status).mockRejectedValueOnce(new Error('unreachable'))
    status.mockResolvedValue({ status: 200, receipts: [{ transactionHash: '0xabc' }] } as never)
    const sent = request({ method: 'eth_sendTransaction', params: [{ from: HYBRID, to: TO, value: '0x1' }] })
    expect(await sent).toBe('0xabc')
  })

  it('can still be named where accounts can delegate meanwhile', async () => {
    const { request, smartAccounts } = await setUpHybrid()
    vi.mocked(smartAccounts.addresses).mockResolvedValue([ADDRESS, HYBRID])
    expect(await request({ method: 'eth_accounts', params: [] })).toEqual([ADDRESS])
    expect(await request({ method: 'wallet_sendCalls', params: [{ from: HYBRID, calls }] })).toEqual({
      id: '0xid',
    })
    expect(smartAccounts.prepare).toHaveBeenLastCalledWith(CHAIN, ADDRESS, expect.anything(), HYBRID)
  })

  it('leaves the account of the key with transactions of its own', async () => {
    const { request, smartAccounts, node } = await setUpHybrid()
    await request({ method: 'wallet_sendCalls', params: [{ from: ADDRESS, calls }] })
    expect(smartAccounts.send).not.toHaveBeenCalled()
    expect(node.mock.calls.filter(([, method]) => method === 'eth_sendRawTransaction')).toHaveLength(1)
    const atOnce = { from: ADDRESS, calls, atomicRequired: true }
    await expect(request({ method: 'wallet_sendCalls', params: [atOnce] })).rejects.toMatchObject({
      code: 5760,
    })
  })

  it('signs messages as a contract does', async () => {
    const { request, smartAccounts, vault } = await setUpHybrid()
    vi.mocked(smartAccounts.contractSignature).mockResolvedValue('0x6492')
    expect(await request({ method: 'personal_sign', params: ['0x00', HYBRID] })).toBe('0x6492')
    const own = await vault.sign.mock.results[0]?.value
    expect(smartAccounts.contractSignature).toHaveBeenCalledExactlyOnceWith(CHAIN, ADDRESS, HYBRID, own)
    expect(await request({ method: 'personal_sign', params: ['0x00', ADDRESS] })).toBe(own)
  })

  it.each([
    ['PackedUserOperation', { verifyingContract: HYBRID }, { sender: HYBRID }],
    ['Delegation', { verifyingContract: TO }, { delegator: HYBRID }],
  ])('does not sign the typed data %s', async (primaryType, domain, message) => {
    const { request, contents } = await setUpHybrid()
    const fields = Object.keys(message).map((name) => ({ name, type: 'address' }))
    const data = {
      primaryType,
      domain: { chainId: 31337, ...domain },
      types: { [primaryType]: fields },
      message,
    }
    const params = [ADDRESS, JSON.stringify(data)]
    await expect(request({ method: 'eth_signTypedData_v4', params })).rejects.toMatchObject({ code: -32602 })
    expect(contents()).toEqual([])
  })
})

describe('a smart account', () => {
  const calls = [{ to: TO, value: '0x1' }]
  const prepared = {
    maxFee: 7n,
    checkFee: 2n,
    delegate: TO,
    operation: { callGasLimit: '0x9', maxFeePerGas: '0x3', maxPriorityFeePerGas: '0x2' },
  }

  async function setUpSmart() {
    const set = await setUp()
    vi.mocked(set.smartAccounts.addresses).mockResolvedValue([ADDRESS])
    vi.mocked(set.smartAccounts.capabilities).mockResolvedValue({ atomic: { status: 'supported' } })
    vi.mocked(set.smartAccounts.prepare).mockResolvedValue(prepared as never)
    vi.mocked(set.smartAccounts.send).mockResolvedValue('0xid')
    return set
  }

  it('sends calls at once after an approval that names the code it will run', async () => {
    const { request, contents, smartAccounts, node } = await setUpSmart()
    const params = [{ id: '0xmine', from: ADDRESS, calls, atomicRequired: true }]
    expect(await request({ method: 'wallet_sendCalls', params })).toEqual({ id: '0xid' })
    const shown = [{ to: TO, value: 1n, data: '0x', gas: 9n }]
    expect(contents()).toEqual([
      {
        kind: 'calls',
        calls: shown,
        isAtomic: true,
        maxFee: 9n,
        fees: { type: 'eip1559', maxFeePerGas: 3n, maxPriorityFeePerGas: 2n },
        isHighFee: false,
        delegate: TO,
      },
    ])
    expect(smartAccounts.send).toHaveBeenCalledExactlyOnceWith(prepared, expect.any(Function), '0xmine')
    expect(node.mock.calls.filter(([, method]) => method === 'eth_sendRawTransaction')).toEqual([])
  })

  it('has a fee of the bundler that is far above that of the network pointed out, and a higher one refused', async () => {
    const { request, contents, smartAccounts } = await setUpSmart()
    const priced = (price: bigint, paymaster?: string) =>
      vi.mocked(smartAccounts.prepare).mockResolvedValue({
        ...prepared,
        maxFee: price * 100_000n,
        operation: { ...prepared.operation, maxFeePerGas: `0x${price.toString(16)}`, paymaster },
      } as never)
    const send = () => request({ method: 'wallet_sendCalls', params: [{ calls, atomicRequired: true }] })
    for (const price of [6_000_000_003n, 6_000_000_004n]) {
      priced(price)
      await send()
    }
    priced(20_000_000_011n)
    await expect(send()).rejects.toMatchObject({ code: -32602 })
    priced(20_000_000_011n, TO)
    await send()
    expect(contents()).toMatchObject([{ isHighFee: false }, { isHighFee: true }, { isHighFee: false }])
  })

  it('shows calls that would fail, and answers why once they are closed', async () => {
    const set = await setUp((sheet) => sheet.reject())
    vi.mocked(set.smartAccounts.addresses).mockResolvedValue([ADDRESS])
    const failing = failingCalls(new BundlerError(-32521, 'the calls revert: sold out'), TO)
    vi.mocked(set.smartAccounts.prepare).mockRejectedValue(failing)
    const sending = set.request({ method: 'wallet_sendCalls', params: [{ calls, atomicRequired: true }] })
    await expect(sending).rejects.toMatchObject({ code: -32521, message: 'the calls revert: sold out' })
    expect(set.contents()).toMatchObject([
      {
        maxFee: undefined,
        failure: 'the calls revert: sold out',
        delegate: TO,
        calls: [{ to: TO, value: 1n }],
      },
    ])
    expect(set.smartAccounts.send).not.toHaveBeenCalled()
  })

  it('does not show calls that the bundler refuses for another reason', async () => {
    const set = await setUpSmart()
    vi.mocked(set.smartAccounts.prepare).mockRejectedValue(
      failingCalls(new BundlerError(-32504, 'too many operations'), TO),
    )
    const sending = set.request({ method: 'wallet_sendCalls', params: [{ calls, atomicRequired: true }] })
    await expect(sending).rejects.toMatchObject({ code: -32504 })
    expect(set.contents()).toEqual([])
  })

  it('must have after the calls what the approved preview showed', async () => {
    const minimumBalances = [{ asset: {}, amount: '1000' }]
    const set = await setUp((sheet) => sheet.kind === 'approval' && sheet.approve({ minimumBalances }))
    vi.mocked(set.smartAccounts.addresses).mockResolvedValue([ADDRESS])
    vi.mocked(set.smartAccounts.prepare).mockResolvedValue(prepared as never)
    vi.mocked(set.smartAccounts.prepareWithMinimums).mockRejectedValue(new Error('it would fail'))
    const params = [{ calls, atomicRequired: true }]
    await expect(set.request({ method: 'wallet_sendCalls', params })).rejects.toThrow('it would fail')
    expect(set.smartAccounts.prepareWithMinimums).toHaveBeenCalledExactlyOnceWith(prepared, [
      { token: zeroAddress, amount: 991n },
    ])
    expect(set.smartAccounts.send).not.toHaveBeenCalled()
  })

  it('has capabilities and a status of its own', async () => {
    const { request, smartAccounts } = await setUpSmart()
    expect(await request({ method: 'wallet_getCapabilities', params: [ADDRESS, ['0x1', '0x7a69']] })).toEqual(
      {
        '0x1': { atomic: { status: 'supported' } },
        '0x7a69': { atomic: { status: 'supported' } },
      },
    )
    vi.mocked(smartAccounts.status).mockResolvedValue({ id: '0xid', status: 200 } as never)
    expect(await request({ method: 'wallet_getCallsStatus', params: ['0xid'] })).toMatchObject({
      status: 200,
    })
    expect(smartAccounts.status).toHaveBeenCalledExactlyOnceWith(ADDRESS, '0xid')
  })

  it.each([
    {
      primaryType: 'PackedUserOperation',
      domain: { chainId: 31337, verifyingContract: ADDRESS.toLowerCase() },
      types: { PackedUserOperation: [{ name: 'sender', type: 'address' }] },
      message: { sender: ADDRESS },
    },
    {
      primaryType: 'Delegation',
      domain: { name: 'DelegationManager', chainId: 31337, verifyingContract: TO },
      types: { Delegation: [{ name: 'delegator', type: 'address' }] },
      message: { delegator: ADDRESS.toLowerCase() },
    },
  ])('does not sign the typed data $primaryType, which would hide what it allows', async (data) => {
    const { request, contents } = await setUpSmart()
    const params = [ADDRESS, JSON.stringify(data)]
    await expect(request({ method: 'eth_signTypedData_v4', params })).rejects.toMatchObject({ code: -32602 })
    expect(contents()).toEqual([])
  })
})

it('a locked wallet is opened by a factor after the approval', async () => {
  const secret = { kind: 'password', password: 'correct horse battery' } as const
  const { request, vault } = await setUp((sheet) => {
    if (sheet.kind === 'approval') sheet.approve()
    if (sheet.kind === 'unlock') void sheet.submit('f1', secret)
  })
  vault.unlock.mockResolvedValue({
    isOpen: false,
    factors: [{ id: 'f1', kind: 'password', label: '' }],
  } as never)
  const unlockWith = vi.fn(async () => undefined)
  Object.assign(vault, { unlockWith })
  await request({ method: 'personal_sign', params: ['0x61', ADDRESS] })
  expect(unlockWith).toHaveBeenCalledExactlyOnceWith('f1', secret)
})

it('a request is not signed by the key of a user who signed in after it was shown', async () => {
  const { request, vault } = await setUp((sheet) => {
    if (sheet.kind !== 'approval') return
    vault.getUser = async () => ({ addresses: { ...addresses, eip155: TO } }) as never
    sheet.approve()
  })
  const { addresses } = await vault.getUser()
  await expect(request({ method: 'personal_sign', params: ['0x61', ADDRESS] })).rejects.toMatchObject({
    code: 4100,
  })
  expect(vault.sign).not.toHaveBeenCalled()
})

it.each([
  ['0x7', true],
  ['0x6', false],
  ['0x8', false],
])('a transaction with the nonce %s, where 7 is the next one, is sent: %s', async (nonce, isSent) => {
  const { request, vault } = await setUp()
  const sending = request({ method: 'eth_sendTransaction', params: [{ to: TO, value: '0x5', nonce }] })
  if (isSent) await sending
  else await expect(sending).rejects.toMatchObject({ code: -32602 })
  expect(vault.sign).toHaveBeenCalledTimes(isSent ? 1 : 0)
})

it('requests wait in turn, and are rejected together', async () => {
  const { request, approvals } = await setUp(() => undefined)
  const first = request({ method: 'personal_sign', params: ['0x61', ADDRESS] })
  const second = request({ method: 'personal_sign', params: ['0x62', ADDRESS] })
  await vi.waitFor(() => expect(approvals.current()).toMatchObject({ view: { content: { text: 'a' } } }))
  approvals.rejectAll()
  await expect(first).rejects.toMatchObject({ code: 4001 })
  await expect(second).rejects.toMatchObject({ code: 4001 })
  expect(approvals.current()).toBeUndefined()
})

it('a request that is prepared when all are rejected is not shown later', async () => {
  const { request, approvals, node, views, vault } = await setUp()
  let prepare: (gas: string) => void = () => undefined
  const prepared = new Promise((resolve) => {
    prepare = resolve
  })
  node.mockImplementation(async (_, method) => (method === 'eth_estimateGas' ? prepared : answers[method]))
  const sending = request({ method: 'eth_sendTransaction', params: [{ to: TO, value: '0x5' }] })
  await vi.waitFor(() => expect(node).toHaveBeenCalledWith(CHAIN, 'eth_estimateGas', expect.anything()))
  approvals.rejectAll()
  prepare('0x5208')
  await expect(sending).rejects.toMatchObject({ code: 4001 })
  expect(views).toEqual([])
  expect(vault.sign).not.toHaveBeenCalled()
})

describe('Solana', () => {
  it('signs a message, but none that is a transaction', async () => {
    const { base58 } = await import('@scure/base')
    const { ed25519 } = await import('@noble/curves/ed25519')
    const { request, addresses } = await setUp()
    const message = new TextEncoder().encode('hello')
    const params = { message: base58.encode(message), pubkey: addresses.solana }
    const { signature } = (await request({
      method: 'solana_signMessage',
      params,
      chainId: SOLANA_CHAIN,
    })) as { signature: string }
    expect(ed25519.verify(base58.decode(signature), message, base58.decode(addresses.solana))).toBe(true)

    const transfer = base58.encode(transactionOf(base58.decode(addresses.solana)).slice(65))
    await expect(
      request({
        method: 'solana_signMessage',
        params: { ...params, message: transfer },
        chainId: SOLANA_CHAIN,
      }),
    ).rejects.toMatchObject({ message: 'The message is a transaction' })
  })

  it('signs a transaction in the place of its own key', async () => {
    const { base58 } = await import('@scure/base')
    const { ed25519 } = await import('@noble/curves/ed25519')
    const { request, addresses } = await setUp()
    const own = base58.decode(addresses.solana)
    const unsigned = transactionOf(own)
    const text = btoa(String.fromCharCode(...unsigned))
    const { transaction } = (await request({
      method: 'solana_signTransaction',
      params: { transaction: text },
      chainId: SOLANA_CHAIN,
    })) as {
      transaction: string
    }
    const signed = Uint8Array.from(atob(transaction), (char) => char.charCodeAt(0))
    expect(signed.slice(65)).toEqual(unsigned.slice(65))
    expect(ed25519.verify(signed.slice(1, 65), signed.slice(65), own)).toBe(true)
  })
})

/**
 * Returns a transaction of one signer without instructions: count, signature, header, two keys, block hash,
 * no instruction.
 */
function transactionOf(signer: Uint8Array): Uint8Array {
  return Uint8Array.from([
    1,
    ...new Uint8Array(64),
    1,
    0,
    1,
    2,
    ...signer,
    ...new Uint8Array(32),
    ...new Uint8Array(32),
    0,
  ])
}
