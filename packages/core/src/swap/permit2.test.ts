import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseAbi,
  parseAbiParameters,
} from 'viem'
import { describe, expect, it, vi } from 'vitest'
import { approveData, PERMIT2 } from '../evm/evmCalls.ts'
import { Refusal } from '../testing/connectRouter.ts'
import {
  pinnedContracts,
  quoteOf,
  ROUTER,
  type TransactionBody,
  typedSingle,
  WRAPPED,
} from '../testing/fakeConversions.ts'
import { ALICE, BOB, walletError } from '../testing/fakeWallet.ts'
import type { Kit } from '../testing/kit.ts'
import { askedOfWallet, HASH, previewingSwap, stepsOf } from '../testing/swapping.ts'
import { DOLLAR_ADDRESS } from '../testing/tokens.ts'
import { planSwap } from './planSwap.ts'
import { swapTokens } from './swapTokens.ts'

const UNIVERSAL = '0x0000000000000000000000000000000000001102'
const SELF = '0x0000000000000000000000000000000000000002'
const SIGNATURE: Hex = `0x${'cd'.repeat(64)}1b`
const AMOUNT = 10_000_000n
const UNTIL = 1_700_000_300n

const sellDollars = { fromToken: 'tUSD', toToken: 'ETH', amount: '10' }

const execute = parseAbi(['function execute(bytes commands, bytes[] inputs, uint256 deadline)'])
const single = parseAbiParameters([
  'PermitSingle single, bytes signature',
  'struct PermitSingle { PermitDetails details; address spender; uint256 sigDeadline; }',
  'struct PermitDetails { address token; uint160 amount; uint48 expiration; uint48 nonce; }',
])

/** Call data that sells dollars for ether through the UniversalRouter. */
function universalData(body: TransactionBody): Hex {
  const swap = encodeAbiParameters(parseAbiParameters('address, uint256, uint256, bytes, bool'), [
    SELF,
    AMOUNT,
    0n,
    concat([DOLLAR_ADDRESS.toLowerCase() as Hex, '0x0001f4', WRAPPED]),
    true,
  ])
  const unwrap = encodeAbiParameters(parseAbiParameters('address, uint256'), [
    ALICE,
    BigInt(body.toAmountMin),
  ])
  const details = { token: DOLLAR_ADDRESS as Hex, amount: AMOUNT, expiration: Number(UNTIL), nonce: 3 }
  const permit = encodeAbiParameters(single, [{ details, spender: UNIVERSAL, sigDeadline: UNTIL }, SIGNATURE])
  const args = body.eip155?.permit
    ? (['0x0a000c', [permit, swap, unwrap], UNTIL] as const)
    : (['0x000c', [swap, unwrap], UNTIL] as const)
  return encodeFunctionData({ abi: execute, functionName: 'execute', args })
}

/** Sets up a gateway whose best quote goes through the UniversalRouter, if the page accepts that. */
function through(
  change: { allowance?: bigint; message?: object; details?: object; typedData?: string } = {},
) {
  return ({ hawser, gateway, wallet }: Kit) => {
    const { wrapped, routers } = pinnedContracts['eip155:31337']
    hawser.options.setState({
      swapContracts: {
        'eip155:31337': { wrapped, routers: { ...routers, [UNIVERSAL]: 'universal-router' } },
      },
    })
    const { conversions } = gateway
    conversions.quote = (question) =>
      question.spender === 'permit2'
        ? { ...quoteOf(question), id: 'onchain/UniversalRouter', spender: PERMIT2 }
        : quoteOf(question)
    conversions.allowance = () => String(change.allowance ?? 0n)
    conversions.permit = () => ({
      typedData: change.typedData ?? JSON.stringify(typedSingle(UNIVERSAL, change.details, change.message)),
      deadline: String(UNTIL),
    })
    conversions.transaction = (body) => ({
      amount: '5000000000000000',
      toAmountMin: body.toAmountMin,
      to: `eip155:31337:${UNIVERSAL}`,
      data: universalData(body),
    })
    gateway.node.eth_getTransactionReceipt = () => ({ status: '0x1' })
    wallet.answers.eth_signTypedData_v4 = () => SIGNATURE
  }
}

const methodsOf = (kit: Kit) => askedOfWallet(kit).map(({ method }) => method)
const spenderOf = ({ hawser }: Kit) => hawser.swap.getState().quote?.spender

describe('selling a token whose best route is of the UniversalRouter', () => {
  it('approves Permit2 for exactly the amount, signs for the router, and swaps', async () => {
    const kit = await previewingSwap(sellDollars, through())
    await planSwap(kit.hawser)
    expect(stepsOf(kit)).toEqual(['approve next', 'permit next', 'swap next'])
    expect(await swapTokens(kit.hawser)).toBe(HASH)
    expect(methodsOf(kit)).toEqual(['eth_sendTransaction', 'eth_signTypedData_v4', 'eth_sendTransaction'])
    const [approval, signing, swap] = askedOfWallet(kit)
    expect(approval?.params).toMatchObject([{ to: DOLLAR_ADDRESS, data: approveData(PERMIT2, AMOUNT) }])
    const [, typedData] = (signing?.params ?? []) as string[]
    expect(JSON.parse(String(typedData))).toEqual(typedSingle(UNIVERSAL))
    expect(swap?.params).toMatchObject([{ to: UNIVERSAL, value: '0x0' }])
    const words = [AMOUNT, UNTIL, 3n, UNTIL].map((word) => numberToHex(word, { size: 32 }).slice(2)).join('')
    expect(kit.gateway.conversions.built[0]?.eip155?.permit).toBe(SIGNATURE + words)
  })

  it('signs only, where Permit2 may take the token already', async () => {
    const kit = await previewingSwap(sellDollars, through({ allowance: AMOUNT }))
    await planSwap(kit.hawser)
    expect(stepsOf(kit)).toEqual(['permit next', 'swap next'])
    expect(await swapTokens(kit.hawser)).toBe(HASH)
    expect(methodsOf(kit)).toEqual(['eth_signTypedData_v4', 'eth_sendTransaction'])
  })

  it('signs nothing, where an earlier signature covers the amount', async () => {
    const kit = await previewingSwap(sellDollars, through({ allowance: AMOUNT, typedData: '' }))
    await planSwap(kit.hawser)
    expect(stepsOf(kit)).toEqual(['swap next'])
    expect(await swapTokens(kit.hawser)).toBe(HASH)
    expect(kit.gateway.conversions.built[0]?.eip155?.permit).toBe(undefined)
  })

  it.each([
    ['another spender', { message: { spender: BOB } }],
    ['another amount', { details: { amount: '10000001' } }],
    ['another token', { details: { token: BOB } }],
    ['more than an hour', { details: { expiration: '1700003601' } }],
  ])('neither approves nor signs a permit for %s', async (_, change) => {
    const kit = await previewingSwap(sellDollars, through(change))
    expect(await swapTokens(kit.hawser)).toBe(undefined)
    expect(askedOfWallet(kit)).toEqual([])
  })

  it('keeps the draft when the visitor declines, and avoids Permit2 the second time', async () => {
    const kit = await previewingSwap(sellDollars, through({ allowance: AMOUNT }))
    kit.wallet.answers.eth_signTypedData_v4 = () => {
      throw walletError(4001, 'User rejected the request')
    }
    for (const next of [PERMIT2, ROUTER]) {
      expect(await swapTokens(kit.hawser)).toBe(undefined)
      expect(kit.hawser.swap.getState()).toMatchObject({ status: 'draft', sourceTokenAmount: '10' })
      await kit.clock.advance(200)
      await vi.waitFor(() => expect(spenderOf(kit)).toBe(next))
    }
  })

  it('avoids Permit2 where the wallet signs no typed data', async () => {
    const kit = await previewingSwap(sellDollars, through({ allowance: AMOUNT }))
    kit.wallet.answers.eth_signTypedData_v4 = () => {
      throw walletError(-32601, 'method not found')
    }
    expect(await swapTokens(kit.hawser)).toBe(undefined)
    await kit.clock.advance(200)
    await vi.waitFor(() => expect(spenderOf(kit)).toBe(ROUTER))
  })

  it('avoids Permit2 where the wallet signs as a contract does', async () => {
    const kit = await previewingSwap(sellDollars, through({ allowance: AMOUNT }))
    kit.wallet.answers.eth_signTypedData_v4 = () => `0x${'ab'.repeat(300)}`
    expect(await swapTokens(kit.hawser)).toBe(undefined)
    expect(methodsOf(kit)).toEqual(['eth_signTypedData_v4'])
    await kit.clock.advance(200)
    await vi.waitFor(() => expect(spenderOf(kit)).toBe(ROUTER))
  })

  it('avoids Permit2, before anything is approved, where the account has code', async () => {
    const kit = await previewingSwap(sellDollars, (kit) => {
      through()(kit)
      kit.gateway.conversions.permit = () => {
        throw new Refusal(400, 'PERMIT_UNSUPPORTED')
      }
    })
    await planSwap(kit.hawser)
    await kit.clock.advance(200)
    await vi.waitFor(() => expect(spenderOf(kit)).toBe(ROUTER))
    expect(askedOfWallet(kit)).toEqual([])
  })

  it('is not requested by a page without such a router, or whose wallet makes batches', async () => {
    const unknown = await previewingSwap(sellDollars, (kit) => {
      through()(kit)
      kit.hawser.options.setState({ swapContracts: pinnedContracts })
    })
    expect(spenderOf(unknown)).toBe(ROUTER)
    const smart = await previewingSwap(sellDollars, (kit) => {
      through()(kit)
      kit.wallet.answers.wallet_getCapabilities = () => ({ '0x7a69': { atomic: { status: 'supported' } } })
    })
    expect(spenderOf(smart)).toBe(ROUTER)
  })
})
