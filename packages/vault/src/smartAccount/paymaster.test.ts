import type { Hex } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import type { BundlerClient } from './bundlerClient.ts'
import { createSmartAccounts } from './smartAccount.ts'

const OWNER: Hex = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'
const PAYMASTER = `0x${'aa'.repeat(20)}`
const CHAIN = 'eip155:31337'
const chain = {
  chainId: CHAIN,
  delegation: true,
  implementation: `0x${'bb'.repeat(20)}`,
  entryPoint: '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
  paymaster: true,
}
const price = { standard: { maxFeePerGas: '0x5', maxPriorityFeePerGas: '0x1' } }
const gas = { callGasLimit: '0x9', verificationGasLimit: '0x9', preVerificationGas: '0x9' }

/** Creates the accounts of a bundler whose paymaster is `stub` at first and `final` once an operation is signed. */
function setUp(stub: string, final: string | undefined) {
  const call = vi.fn(async (method: string) =>
    method === 'ListAccountChains' ? { chains: [chain] } : { id: '0xid' },
  )
  const answers: Record<string, unknown> = {
    pimlico_getUserOperationGasPrice: price,
    eth_estimateUserOperationGas: gas,
    pm_getPaymasterStubData: { paymaster: stub, paymasterData: '0x' },
    pm_getPaymasterData: { paymaster: final, paymasterData: '0x01' },
  }
  const rpc = async (_: string, method: string) => answers[method]
  const delegated = `0xef0100${chain.implementation.slice(2)}`
  const codeOf = vi.fn(() => delegated)
  const node = async (_: string, method: string) => (method === 'eth_getCode' ? codeOf() : '0x0')
  const accounts = createSmartAccounts({ bundler: { call, rpc } as unknown as BundlerClient, node })
  const sign = vi.fn(async () => `0x${'11'.repeat(65)}`)
  return { accounts, call, sign, codeOf }
}

const calls = [{ to: OWNER, value: 0n, data: '0x' }] as const

describe('an operation whose fee a paymaster is shown to pay', () => {
  it('costs its account nothing, and is sent', async () => {
    const { accounts, call, sign } = setUp(PAYMASTER, PAYMASTER.toUpperCase().replace('X', 'x'))
    const prepared = await accounts.prepare(CHAIN, OWNER, calls)
    expect(prepared).toMatchObject({ maxFee: 0n, checkFee: 0n })
    await accounts.send(prepared, sign)
    expect(call).toHaveBeenCalledWith('SendCalls', expect.anything())
  })

  it.each([
    ['none', undefined],
    ['another one', `0x${'cc'.repeat(20)}`],
  ])('is not sent when %s would pay in the end', async (_, final) => {
    const { accounts, call, sign } = setUp(PAYMASTER, final)
    const prepared = await accounts.prepare(CHAIN, OWNER, calls)
    await expect(accounts.send(prepared, sign)).rejects.toThrow(/fee/)
    expect(call).not.toHaveBeenCalledWith('SendCalls', expect.anything())
    expect(sign).not.toHaveBeenCalledWith(expect.objectContaining({ kind: 'typedData' }))
  })
})

it('an operation that is prepared again is of the account whose code was approved', async () => {
  const { accounts, codeOf } = setUp(PAYMASTER, PAYMASTER)
  const minimums = [{ token: OWNER, amount: 1n }]
  const prepared = await accounts.prepare(CHAIN, OWNER, calls)
  expect(await accounts.prepareWithMinimums(prepared, minimums)).toMatchObject({ delegate: undefined })
  codeOf.mockReturnValue('0x')
  await expect(accounts.prepareWithMinimums(prepared, minimums)).rejects.toThrow('another code')
})
