import { type Hex, parseTransaction } from 'viem'
import { recoverAuthorizationAddress } from 'viem/utils'
import { describe, expect, it, vi } from 'vitest'
import { addressesOf, deriveKeys } from '../keys/derive.ts'
import { type SignRequest, signWith } from '../keys/signer.ts'
import { type BundlerClient, BundlerError } from './bundlerClient.ts'
import { createSmartAccounts } from './smartAccount.ts'

const keys = await deriveKeys(new Uint8Array(32).fill(7))
const ACCOUNT = addressesOf(keys).eip155 as Hex
const NOBODY: Hex = '0x0000000000000000000000000000000000000000'
const CHAIN = 'eip155:31337'

/** Creates the accounts of a suite that pays for removals, or does not, for an account whose next nonce is 7, or 8 with a transaction that waits. */
function setUp(chain: object, refusal?: BundlerError) {
  const call = vi.fn(async (method: string, _request?: object) => {
    if (method === 'ListAccountChains') return { chains: [{ chainId: CHAIN, ...chain }] }
    if (method === 'RemoveDelegation' && refusal) throw refusal
    return { id: '0xid' }
  })
  const rpc = async () => ({ standard: { maxFeePerGas: '0x5', maxPriorityFeePerGas: '0x1' } })
  const node = async (_chain: string, _method: string, [, block]: readonly unknown[]) =>
    block === 'pending' ? '0x8' : '0x7'
  const accounts = createSmartAccounts({ bundler: { call, rpc } as unknown as BundlerClient, node })
  const sign = vi.fn(async (request: SignRequest) => signWith(keys, request))
  const sent = (method: string) => call.mock.calls.find(([called]) => called === method)?.[1]
  return { accounts, sign, sent }
}

describe('the removal of a delegation that a sponsor pays for', () => {
  it('is one authorization of the account, without a fee', async () => {
    const { accounts, sign, sent } = setUp({ removal: true })
    const prepared = await accounts.prepareRemoval(CHAIN, ACCOUNT)
    expect(prepared).toMatchObject({ operation: undefined, maxFee: 0n })
    expect(await accounts.sendRemoval(prepared, sign)).toBe('0xid')
    const authorization = { chainId: 31337, address: NOBODY, nonce: 7 }
    expect(sign.mock.calls).toEqual([[{ kind: 'authorization', authorization }]])
    const request = sent('RemoveDelegation') as { authorization: Record<string, Hex> }
    expect(request).toMatchObject({
      chainId: CHAIN,
      account: ACCOUNT,
      authorization: { chainId: '0x7a69', address: NOBODY, nonce: '0x7' },
    })
    const { r = '0x', s = '0x', yParity } = request.authorization
    const signed = { ...authorization, r, s, yParity: Number(yParity) }
    expect(await recoverAuthorizationAddress({ authorization: signed })).toBe(ACCOUNT)
    expect(sent('SendCalls')).toBeUndefined()
  })

  it('fails when the sponsor refuses, and the account signs nothing else', async () => {
    const { accounts, sign, sent } = setUp({ removal: true }, new BundlerError(-32603, 'refused'))
    const prepared = await accounts.prepareRemoval(CHAIN, ACCOUNT)
    await expect(accounts.sendRemoval(prepared, sign)).rejects.toThrow('refused')
    expect(sign).toHaveBeenCalledOnce()
    expect(sent('SendCalls')).toBeUndefined()
  })
})

describe('the removal of a delegation that the account pays for', () => {
  it.each([
    ['on a network without a sponsor', {}, undefined],
    ['on a network with one that is not asked', { removal: true }, 'account'],
  ] as const)('is a transaction with the authorization, %s', async (_, chain, payer) => {
    const { accounts, sign, sent } = setUp(chain)
    const prepared = await accounts.prepareRemoval(CHAIN, ACCOUNT, payer)
    expect(prepared.maxFee).toBe(300_000n)
    await accounts.sendRemoval(prepared, sign)
    const { transactions } = sent('SendCalls') as { transactions: [Hex] }
    expect(parseTransaction(transactions[0])).toMatchObject({
      type: 'eip7702',
      nonce: 8,
      to: ACCOUNT.toLowerCase(),
      authorizationList: [{ address: NOBODY, chainId: 31337, nonce: 9 }],
    })
    expect(sent('RemoveDelegation')).toBeUndefined()
  })
})
