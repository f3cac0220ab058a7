import { describe, expect, it, vi } from 'vitest'
import { approveData } from '../evm/evmCalls.ts'
import { closeModal } from '../modal/modal.ts'
import { Refusal } from '../testing/connectRouter.ts'
import {
  swapTokens as listed,
  quoteOf,
  ROUTER,
  swapData,
  type TransactionBody,
  typedPermit,
} from '../testing/fakeConversions.ts'
import { ALICE, walletError } from '../testing/fakeWallet.ts'
import type { Kit } from '../testing/kit.ts'
import { askedOfWallet, HASH, previewingSwap, requestsFor, stepsOf as steps } from '../testing/swapping.ts'
import { DOLLAR_ADDRESS } from '../testing/tokens.ts'
import { planSwap } from './planSwap.ts'
import { swapTokens } from './swapTokens.ts'

const SIGNATURE = `0x${'cd'.repeat(64)}1b`

const sellDollars = { fromToken: 'tUSD', toToken: 'ETH', amount: '10' }

/** Returns the call data of the swap that was requested last. */
function honest({ gateway }: Kit): string {
  return swapData(gateway.conversions.built.at(-1) as TransactionBody)
}

/** Sets the allowance of the router to zero. */
const unapproved = ({ gateway }: Kit) => {
  gateway.conversions.allowance = () => '0'
}

describe('selling a token that is not approved', () => {
  it('approves exactly the amount, waits for the block, and swaps', async () => {
    const kit = await previewingSwap(sellDollars, unapproved)
    await planSwap(kit.hawser)
    expect(steps(kit)).toEqual(['approve next', 'swap next'])
    let receipt: unknown = null
    kit.gateway.node.eth_getTransactionReceipt = () => receipt
    const swapping = swapTokens(kit.hawser)
    await vi.waitFor(() => expect(steps(kit)).toEqual(['approve chain', 'swap next']))
    expect(askedOfWallet(kit)).toEqual([
      {
        method: 'eth_sendTransaction',
        params: [
          {
            from: ALICE,
            to: DOLLAR_ADDRESS,
            data: approveData(ROUTER, 10_000_000n),
            value: '0x0',
            chainId: '0x7a69',
          },
        ],
      },
    ])
    expect(kit.gateway.conversions.built.filter(({ batch }) => !batch)).toEqual([])
    receipt = { status: '0x1' }
    await kit.clock.advance(2_000)
    expect(await swapping).toBe(HASH)
    expect(askedOfWallet(kit)).toHaveLength(2)
    expect(askedOfWallet(kit)[1]?.params).toMatchObject([{ to: ROUTER, value: '0x0' }])
  })

  it('says nothing was swapped when the visitor declines after the approval', async () => {
    const kit = await previewingSwap(sellDollars, unapproved)
    let asked = 0
    kit.wallet.answers.eth_sendTransaction = () => {
      asked += 1
      if (asked > 1) throw walletError(4001, 'User rejected the request.')
      return HASH
    }
    expect(await swapTokens(kit.hawser)).toBeUndefined()
    await kit.clock.advance(150)
    expect(kit.hawser.toast.getState()).toMatchObject({
      message: 'You declined. Nothing was swapped.',
      variant: 'neutral',
    })
  })

  it('waits for an approval without a limit', async () => {
    const kit = await previewingSwap(sellDollars, unapproved)
    let receipt: unknown = null
    kit.gateway.node.eth_getTransactionReceipt = () => receipt
    const swapping = swapTokens(kit.hawser)
    await vi.waitFor(() => expect(steps(kit)?.[0]).toBe('approve chain'))
    await kit.clock.advance(600_000)
    receipt = { status: '0x1' }
    await kit.clock.advance(10_000)
    expect(await swapping).toBe(HASH)
  })

  it('resets an older approval first where the token requires that', async () => {
    const kit = await previewingSwap(sellDollars, ({ gateway }) => {
      gateway.conversions.allowance = () => '1'
      gateway.conversions.approve = () => ({ reset: true })
    })
    await planSwap(kit.hawser)
    expect(steps(kit)).toEqual(['reset next', 'approve next', 'swap next'])
    await swapTokens(kit.hawser)
    expect(askedOfWallet(kit).map(({ params }) => (params[0] as { data: string }).data)).toEqual([
      approveData(ROUTER, 0n),
      approveData(ROUTER, 10_000_000n),
      honest(kit),
    ])
  })

  it('retries while the node of the gateway does not have the approval yet', async () => {
    const kit = await previewingSwap(sellDollars, (kit) => {
      unapproved(kit)
      const { conversions } = kit.gateway
      const { transaction } = conversions
      conversions.transaction = (body) => {
        if (conversions.built.length < 3) throw new Refusal(400, 'ALLOWANCE_INSUFFICIENT')
        return transaction(body)
      }
    })
    const swapping = swapTokens(kit.hawser)
    await vi.waitFor(() => expect(kit.gateway.conversions.built).toHaveLength(1))
    await kit.clock.advance(1_000)
    await kit.clock.advance(1_000)
    expect(await swapping).toBe(HASH)
  })

  it('stops when the approval reverts', async () => {
    const kit = await previewingSwap(sellDollars, unapproved)
    kit.gateway.node.eth_getTransactionReceipt = () => ({ status: '0x0' })
    expect(await swapTokens(kit.hawser)).toBe(undefined)
    expect(askedOfWallet(kit)).toHaveLength(1)
    expect(kit.eventNames()).toContain('SWAP_APPROVAL_ERROR')
    expect(kit.hawser.swap.getState().status).toBe('draft')
  })

  it('does not prompt the wallet again once the visitor has left', async () => {
    const kit = await previewingSwap(sellDollars, unapproved)
    let receipt: unknown = null
    kit.gateway.node.eth_getTransactionReceipt = () => receipt
    const swapping = swapTokens(kit.hawser)
    await vi.waitFor(() => expect(steps(kit)?.[0]).toBe('approve chain'))
    closeModal(kit.hawser)
    kit.stop()
    receipt = { status: '0x1' }
    await kit.clock.advance(5_000)
    expect(await swapping).toBe(undefined)
    expect(askedOfWallet(kit)).toHaveLength(1)
    expect(kit.eventNames().filter((name) => name.endsWith('_ERROR'))).toEqual([])
  })
})

describe('selling a token that takes permits', () => {
  const permitting =
    (change?: object) =>
    ({ gateway, wallet }: Kit) => {
      gateway.conversions.tokens = () => listed.map((token) => ({ ...token, eip2612: true }))
      gateway.conversions.allowance = () => '0'
      gateway.conversions.permit = () => ({
        typedData: JSON.stringify(typedPermit(change)),
        deadline: '1700000300',
      })
      gateway.node.eth_getCode = () => '0x'
      wallet.answers.eth_signTypedData_v4 = () => SIGNATURE
    }

  it('signs instead of sending an approval', async () => {
    const kit = await previewingSwap(sellDollars, permitting())
    await planSwap(kit.hawser)
    expect(steps(kit)).toEqual(['permit next', 'swap next'])
    expect(await swapTokens(kit.hawser)).toBe(HASH)
    expect(askedOfWallet(kit).map(({ method }) => method)).toEqual([
      'eth_signTypedData_v4',
      'eth_sendTransaction',
    ])
    const { permit } = kit.gateway.conversions.built[0]?.eip155 ?? {}
    expect(permit).toBe(
      `${SIGNATURE}${(10_000_000).toString(16).padStart(64, '0')}${(1_700_000_300).toString(16).padStart(64, '0')}`,
    )
  })

  it('sends an approval when the wallet signs no typed data', async () => {
    const kit = await previewingSwap(sellDollars, permitting())
    kit.wallet.answers.eth_signTypedData_v4 = () => {
      throw walletError(-32601, 'method not found')
    }
    expect(await swapTokens(kit.hawser)).toBe(HASH)
    expect(askedOfWallet(kit).map(({ method }) => method)).toEqual([
      'eth_signTypedData_v4',
      'eth_sendTransaction',
      'eth_sendTransaction',
    ])
  })

  it('refuses to sign a permit for something else', async () => {
    const kit = await previewingSwap(sellDollars, permitting({ value: String(2n ** 255n) }))
    expect(await swapTokens(kit.hawser)).toBe(undefined)
    expect(askedOfWallet(kit)).toEqual([])
    expect(kit.eventNames()).toContain('SWAP_APPROVAL_ERROR')
  })

  it('sends an approval where the account is a contract', async () => {
    const kit = await previewingSwap(sellDollars, permitting())
    kit.gateway.node.eth_getCode = () => '0x6001'
    await planSwap(kit.hawser)
    expect(steps(kit)).toEqual(['approve next', 'swap next'])
  })

  it('signs with the key of an account that only delegates (EIP-7702)', async () => {
    const kit = await previewingSwap(sellDollars, permitting())
    kit.gateway.node.eth_getCode = () => `0xef0100${'11'.repeat(20)}`
    await planSwap(kit.hawser)
    expect(steps(kit)).toEqual(['permit next', 'swap next'])
  })
})

describe('a wallet that makes batches', () => {
  const smart = ({ gateway, wallet }: Kit) => {
    gateway.conversions.allowance = () => '0'
    gateway.conversions.transaction = (body) => ({
      amount: '5000000000000000',
      toAmountMin: body.toAmountMin,
      calls: [
        { to: DOLLAR_ADDRESS, data: approveData(ROUTER, 10_000_000n), value: '0' },
        { to: ROUTER, data: swapData(body), value: '0' },
      ],
    })
    wallet.answers.wallet_getCapabilities = () => ({ '0x7a69': { atomic: { status: 'supported' } } })
    wallet.answers.wallet_sendCalls = () => ({ id: '0xba7c4' })
    wallet.answers.wallet_getCallsStatus = () => ({ status: 100 })
  }

  it('approves and swaps atomically', async () => {
    const kit = await previewingSwap(sellDollars, smart)
    await planSwap(kit.hawser)
    expect(steps(kit)).toEqual(['batch next'])
    expect(await swapTokens(kit.hawser)).toBe('0xba7c4')
    expect(askedOfWallet(kit)).toEqual([
      {
        method: 'wallet_sendCalls',
        params: [
          {
            version: '2.0.0',
            from: ALICE,
            chainId: '0x7a69',
            atomicRequired: true,
            calls: [
              { to: DOLLAR_ADDRESS, data: approveData(ROUTER, 10_000_000n), value: '0x0' },
              { to: ROUTER, data: honest(kit), value: '0x0' },
            ],
          },
        ],
      },
    ])
    expect(kit.gateway.conversions.built[0]).toMatchObject({ batch: true, disableEstimate: true })
  })

  it('approves in the batch where the gateway built the swap alone', async () => {
    const kit = await previewingSwap(sellDollars, (kit) => {
      smart(kit)
      kit.gateway.conversions.transaction = (body) => ({
        amount: '5000000000000000',
        toAmountMin: body.toAmountMin,
        calls: [{ to: ROUTER, data: swapData(body), value: '0' }],
      })
    })
    await swapTokens(kit.hawser)
    expect(askedOfWallet(kit)[0]?.params).toMatchObject([
      {
        calls: [
          { to: DOLLAR_ADDRESS, data: approveData(ROUTER, 10_000_000n) },
          { to: ROUTER, data: honest(kit) },
        ],
      },
    ])
  })

  it('sends a batch when the quote has several routers instead of one spender', async () => {
    const kit = await previewingSwap(sellDollars, (kit) => {
      smart(kit)
      kit.gateway.conversions.quote = (question) => {
        const { spender: _, ...quote } = quoteOf(question)
        return quote
      }
    })
    expect(await swapTokens(kit.hawser)).toBe('0xba7c4')
    expect(requestsFor(kit, '/GetAllowance ')).toEqual([])
  })

  it('sends one transaction when everything is allowed', async () => {
    const kit = await previewingSwap(sellDollars, (kit) => {
      smart(kit)
      kit.gateway.conversions.allowance = () => '10000000'
    })
    expect(await swapTokens(kit.hawser)).toBe(HASH)
  })

  it.each([
    [200, '0x1', 'SWAP_SUCCESS'],
    [200, '0x0', 'SWAP_ERROR'],
    [500, '0x0', 'SWAP_ERROR'],
  ])('whose status is %s with a receipt of %s means %s', async (status, receipt, event) => {
    const kit = await previewingSwap(sellDollars, smart)
    await swapTokens(kit.hawser)
    kit.wallet.answers.wallet_getCallsStatus = () => ({
      status,
      receipts: [{ transactionHash: HASH, status: receipt }],
    })
    await kit.clock.advance(2_000)
    expect(kit.eventNames()).toContain(event)
  })

  it('signs no batch that approves more than is sold', async () => {
    const kit = await previewingSwap(sellDollars, (kit) => {
      smart(kit)
      kit.gateway.conversions.transaction = (body) => ({
        amount: '5000000000000000',
        toAmountMin: body.toAmountMin,
        calls: [
          { to: DOLLAR_ADDRESS, data: approveData(ROUTER, 2n ** 256n - 1n), value: '0' },
          { to: ROUTER, data: swapData(body), value: '0' },
        ],
      })
    })
    expect(await swapTokens(kit.hawser)).toBe(undefined)
    expect(askedOfWallet(kit)).toEqual([])
  })
})
