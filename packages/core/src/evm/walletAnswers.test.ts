import { describe, expect, it } from 'vitest'
import { sessionOf } from '../chain/adapters.ts'
import { systemClock } from '../clock.ts'
import { sendToken } from '../send/sendToken.ts'
import { ETHER } from '../testing/fakeGateway.ts'
import { ALICE, type FakeWallet } from '../testing/fakeWallet.ts'
import { createConnectedKit } from '../testing/kit.ts'
import { previewing, sent } from '../testing/previewing.ts'
import type { ConnectedSession } from '../types/hawser.ts'
import { createEvmAdapter } from './evmAdapter.ts'
import { evmContracts } from './evmContracts.ts'

const DEVNET = 'eip155:31337'
const adapter = createEvmAdapter(systemClock)
const call = { to: ALICE, data: '0x', value: 1n }

async function connected(): Promise<{ session: ConnectedSession<'eip155'>; wallet: FakeWallet }> {
  const { hawser, wallet } = await createConnectedKit()
  return { session: sessionOf(hawser, 'eip155') as ConnectedSession<'eip155'>, wallet }
}

const notHashes = [
  null,
  1,
  '',
  '0x',
  `0x${'ab'.repeat(31)}`,
  `0x${'ab'.repeat(33)}`,
  'ab'.repeat(32),
  `0x${'zz'.repeat(32)}`,
]
const notSignatures = [
  null,
  1,
  '',
  '0x',
  `0x${'ab'.repeat(30)}`,
  `0x${'ab'.repeat(65)}a`,
  'ab'.repeat(65),
  `0x${'zz'.repeat(65)}`,
]

describe('what a wallet answers', () => {
  it.each(notHashes)('to a transaction is not a hash when it is %j', async (answer) => {
    const { session, wallet } = await connected()
    wallet.answers.eth_sendTransaction = () => answer
    await expect(evmContracts.send(session, ALICE, call, DEVNET)).rejects.toThrow('no transaction hash')
    const kit = await previewing(ETHER, '0.5')
    kit.wallet.answers.eth_sendTransaction = () => answer
    expect(await sendToken(kit.hawser)).toBe(undefined)
  })

  it.each(notSignatures)('to a text or typed data is not a signature when it is %j', async (answer) => {
    const { session, wallet } = await connected()
    wallet.answers.personal_sign = () => answer
    wallet.answers.eth_signTypedData_v4 = () => answer
    await expect(adapter.signMessage(session, ALICE, 'text', DEVNET)).rejects.toThrow('no signature')
    await expect(evmContracts.signTypedData(session, ALICE, '{}', DEVNET)).rejects.toThrow('no signature')
  })

  it('may be the signature of a key or a longer one of a contract', async () => {
    const { session, wallet } = await connected()
    for (const bytes of [31, 65, 300]) {
      wallet.answers.personal_sign = () => `0x${'Ab'.repeat(bytes)}`
      expect(await adapter.signMessage(session, ALICE, 'text', DEVNET)).toHaveLength(2 + bytes * 2)
    }
  })
})

describe('a transaction', () => {
  it('names its chain, and is not requested from a wallet on another one', async () => {
    const { session, wallet } = await connected()
    await evmContracts.send(session, ALICE, call, DEVNET)
    const kit = await previewing(ETHER, '0.5')
    await sendToken(kit.hawser)
    for (const { method, params } of [...wallet.calls, ...kit.wallet.calls]) {
      if (method === 'eth_sendTransaction') expect(params).toMatchObject([{ chainId: '0x7a69' }])
    }
    expect(sent(kit)).toHaveLength(1)
    wallet.chainId = 1
    const before = wallet.calls.length
    await expect(evmContracts.send(session, ALICE, call, DEVNET)).rejects.toThrow('another network')
    await expect(evmContracts.sendBatch(session, ALICE, [call], DEVNET)).rejects.toThrow('another network')
    await expect(adapter.signMessage(session, ALICE, 'text', DEVNET)).rejects.toThrow('another network')
    await expect(evmContracts.signTypedData(session, ALICE, '{}', DEVNET)).rejects.toThrow('another network')
    expect(wallet.calls.slice(before).every(({ method }) => method === 'eth_chainId')).toBe(true)
  })

  it.each(notHashes.slice(2))('to a batch is not a hash when it is %j', async (transactionHash) => {
    const { session, wallet } = await connected()
    wallet.answers.wallet_getCallsStatus = () => ({ status: 200, receipts: [{ transactionHash }] })
    await expect(evmContracts.batchStatus(session, 'id')).rejects.toThrow('no transaction hash')
  })
})
