import { describe, expect, it, vi } from 'vitest'
import { closeModal } from '../modal/modal.ts'
import { goBack } from '../router/navigate.ts'
import { settle } from '../testing/fakeClock.ts'
import { swapTokens as listed, quoteOf, Refusal, ROUTER } from '../testing/fakeConversions.ts'
import { ALICE, deferred, walletError } from '../testing/fakeWallet.ts'
import type { Kit } from '../testing/kit.ts'
import { previewingSwap, readinessOf, requestsFor } from '../testing/swapping.ts'
import { DOLLAR_ADDRESS, ETHER_ID } from '../testing/tokens.ts'
import { setSwapSlippage } from './edit.ts'
import { SwapError } from './order.ts'
import { approveData, planSwap } from './plan.ts'
import { swapTokens } from './swapTokens.ts'

const HASH = `0x${'ab'.repeat(32)}`
const SIGNATURE = `0x${'cd'.repeat(64)}1b`

const sellEther = { fromToken: 'ETH', toToken: 'tUSD', amount: '0.5' }
const sellDollars = { fromToken: 'tUSD', toToken: 'ETH', amount: '10' }

/** What the wallet was asked to do, without what it was asked silently. */
function asked({ wallet }: Kit) {
  const silent = /^eth_(chainId|accounts|requestAccounts)|^wallet_get/
  return wallet.calls.filter(({ method }) => !silent.test(method))
}

function steps({ hawser }: Kit) {
  return hawser.swap.getState().steps?.map(({ kind, state }) => `${kind} ${state}`)
}

async function toastAfter(kit: Kit) {
  await kit.clock.advance(150)
  return kit.hawser.toast.getState().message
}

/** The router may take nothing yet. */
const unapproved = ({ gateway }: Kit) => {
  gateway.conversions.allowance = () => '0'
}

describe('selling the own currency', () => {
  it('needs no approval: one transaction with exactly the amount', async () => {
    const kit = await previewingSwap(sellEther)
    expect(await swapTokens(kit.hawser)).toBe(HASH)
    expect(asked(kit)).toEqual([
      {
        method: 'eth_sendTransaction',
        params: [{ from: ALICE, to: ROUTER, data: '0x5ae401dc', value: '0x6f05b59d3b20000', gas: '0x2f9b8' }],
      },
    ])
    expect(requestsFor(kit, '/convert/allowance')).toEqual([])
  })

  it('is built from the quote that was seen, on the terms that were shown', async () => {
    const kit = await previewingSwap(sellEther)
    setSwapSlippage(kit.hawser, 50)
    await swapTokens(kit.hawser)
    expect(kit.gateway.conversions.built).toMatchObject([
      {
        amount: '500000000000000000',
        from: ETHER_ID,
        userAddress: `eip155:31337:${ALICE}`,
        quoteId: 'onchain.0',
        toAmountMin: '995000000',
        eip155: { slippageBps: 50 },
      },
    ])
  })

  it('shows the account, says that the swap is under way, and then how much came', async () => {
    const kit = await previewingSwap(sellEther)
    let receipt: unknown = null
    kit.gateway.node.eth_getTransactionReceipt = () => receipt
    await swapTokens(kit.hawser)
    expect(kit.hawser.router.getState().history).toEqual(['Account'])
    expect(kit.hawser.swap.getState()).toMatchObject({ status: 'draft', sourceTokenAmount: '' })
    expect(await toastAfter(kit)).toBe('Swapping ETH to 1,000 tUSD')
    await kit.clock.advance(119_000)
    expect(kit.hawser.toast.getState().message).toBe('Swapping ETH to 1,000 tUSD')

    receipt = { status: '0x1' }
    kit.hawser.push.setState({ activityChanges: 7 })
    await settle()
    expect(await toastAfter(kit)).toBe('Swapped ETH to 1,000 tUSD')
    expect(kit.events.find(({ event }) => event === 'SWAP_SUCCESS')).toMatchObject({
      properties: {
        network: 'eip155:31337',
        swapFromToken: 'ETH',
        swapToToken: 'tUSD',
        swapFromAmount: '0.5',
        swapToAmount: '1000',
        isSmartAccount: false,
        hash: HASH,
      },
    })
    const forced = requestsFor(kit, '/balance?').at(-1)
    expect(forced).toContain(`forceUpdate=${ETHER_ID},eip155:31337:${DOLLAR_ADDRESS}`)
  })

  it('is shown as a pending trade from the moment the wallet has sent it', async () => {
    const kit = await previewingSwap(sellEther)
    kit.gateway.node.eth_getTransactionReceipt = () => null
    await swapTokens(kit.hawser)
    expect(kit.hawser.activity.getState().sent).toMatchObject([
      {
        transaction: {
          metadata: { hash: HASH, status: 'pending', operationType: 'trade' },
          transfers: [
            { direction: 'out', quantity: { numeric: '0.5' }, fungible_info: { symbol: 'ETH' } },
            { direction: 'in', quantity: { numeric: '1000' }, fungible_info: { symbol: 'tUSD' } },
          ],
        },
      },
    ])
  })

  it('that reverts says so', async () => {
    const kit = await previewingSwap(sellEther)
    kit.gateway.node.eth_getTransactionReceipt = () => ({ status: '0x0' })
    await swapTokens(kit.hawser)
    await settle()
    expect(await toastAfter(kit)).toBe('Transaction reverted')
    expect(kit.eventNames()).toContain('SWAP_ERROR')
    expect(kit.eventNames()).not.toContain('SWAP_SUCCESS')
  })

  it('never says that it timed out: what is not mined for long just falls silent', async () => {
    const kit = await previewingSwap(sellEther)
    kit.gateway.node.eth_getTransactionReceipt = () => null
    await swapTokens(kit.hawser)
    await kit.clock.advance(140_000)
    expect(kit.hawser.toast.getState().open).toBe(false)
    expect(kit.eventNames()).not.toContain('SWAP_ERROR')
  })
})

describe('selling a token that is not approved', () => {
  it('approves exactly the amount, waits for the block, and swaps', async () => {
    const kit = await previewingSwap(sellDollars, unapproved)
    await planSwap(kit.hawser)
    expect(steps(kit)).toEqual(['approve next', 'swap next'])
    let receipt: unknown = null
    kit.gateway.node.eth_getTransactionReceipt = () => receipt
    const swapping = swapTokens(kit.hawser)
    await vi.waitFor(() => expect(steps(kit)).toEqual(['approve chain', 'swap next']))
    expect(asked(kit)).toEqual([
      {
        method: 'eth_sendTransaction',
        params: [{ from: ALICE, to: DOLLAR_ADDRESS, data: approveData(ROUTER, 10_000_000n), value: '0x0' }],
      },
    ])
    expect(kit.gateway.conversions.built).toEqual([])
    receipt = { status: '0x1' }
    await kit.clock.advance(2_000)
    expect(await swapping).toBe(HASH)
    expect(asked(kit)).toHaveLength(2)
    expect(asked(kit)[1]?.params).toMatchObject([{ to: ROUTER, value: '0x0' }])
  })

  it('is patient with an approval however long it takes', async () => {
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

  it('takes back an older approval first where the token asks for that', async () => {
    const kit = await previewingSwap(sellDollars, ({ gateway }) => {
      gateway.conversions.allowance = () => '1'
      gateway.conversions.approve = () => ({ reset: true })
    })
    await planSwap(kit.hawser)
    expect(steps(kit)).toEqual(['reset next', 'approve next', 'swap next'])
    await swapTokens(kit.hawser)
    expect(asked(kit).map(({ params }) => (params[0] as { data: string }).data)).toEqual([
      approveData(ROUTER, 0n),
      approveData(ROUTER, 10_000_000n),
      '0x5ae401dc',
    ])
  })

  it('waits for a node that has not seen the approval yet', async () => {
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
    expect(asked(kit)).toHaveLength(1)
    expect(kit.eventNames()).toContain('SWAP_APPROVAL_ERROR')
    expect(kit.hawser.swap.getState().status).toBe('draft')
  })

  it('asks the wallet for nothing more once the visitor has left', async () => {
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
    expect(asked(kit)).toHaveLength(1)
    expect(kit.eventNames().filter((name) => name.endsWith('_ERROR'))).toEqual([])
  })
})

describe('selling a token that takes permits', () => {
  const typedData = (change: object = {}) =>
    JSON.stringify({
      primaryType: 'Permit',
      domain: { name: 'Test USD', version: '1', chainId: 31337, verifyingContract: DOLLAR_ADDRESS },
      message: {
        owner: ALICE,
        spender: ROUTER,
        value: '10000000',
        nonce: '0',
        deadline: '1700000300',
        ...change,
      },
    })

  const permitting =
    (change?: object) =>
    ({ gateway, wallet }: Kit) => {
      gateway.conversions.tokens = () => listed.map((token) => ({ ...token, eip2612: true }))
      gateway.conversions.allowance = () => '0'
      gateway.conversions.permit = () => ({ typedData: typedData(change), deadline: '1700000300' })
      gateway.node.eth_getCode = () => '0x'
      wallet.answers.eth_signTypedData_v4 = () => SIGNATURE
    }

  it('signs instead of sending an approval', async () => {
    const kit = await previewingSwap(sellDollars, permitting())
    await planSwap(kit.hawser)
    expect(steps(kit)).toEqual(['permit next', 'swap next'])
    expect(await swapTokens(kit.hawser)).toBe(HASH)
    expect(asked(kit).map(({ method }) => method)).toEqual(['eth_signTypedData_v4', 'eth_sendTransaction'])
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
    expect(asked(kit).map(({ method }) => method)).toEqual([
      'eth_signTypedData_v4',
      'eth_sendTransaction',
      'eth_sendTransaction',
    ])
  })

  it('never asks for a signature that permits something else', async () => {
    const kit = await previewingSwap(sellDollars, permitting({ value: String(2n ** 255n) }))
    expect(await swapTokens(kit.hawser)).toBe(undefined)
    expect(asked(kit)).toEqual([])
    expect(kit.eventNames()).toContain('SWAP_APPROVAL_ERROR')
  })

  it('approves as ever where a contract holds the token', async () => {
    const kit = await previewingSwap(sellDollars, permitting())
    kit.gateway.node.eth_getCode = () => '0x6001'
    await planSwap(kit.hawser)
    expect(steps(kit)).toEqual(['approve next', 'swap next'])
  })

  it('keeps to the key of an account that only delegates', async () => {
    const kit = await previewingSwap(sellDollars, permitting())
    kit.gateway.node.eth_getCode = () => `0xef0100${'11'.repeat(20)}`
    await planSwap(kit.hawser)
    expect(steps(kit)).toEqual(['permit next', 'swap next'])
  })
})

describe('a wallet that carries out batches', () => {
  const smart = ({ gateway, wallet }: Kit) => {
    gateway.conversions.allowance = () => '0'
    gateway.conversions.transaction = (body) => ({
      amount: '5000000000000000',
      toAmountMin: body.toAmountMin,
      calls: [
        { to: DOLLAR_ADDRESS, data: approveData(ROUTER, 10_000_000n), value: '0' },
        { to: ROUTER, data: '0x5ae401dc', value: '0' },
      ],
    })
    wallet.answers.wallet_getCapabilities = () => ({ '0x7a69': { atomic: { status: 'supported' } } })
    wallet.answers.wallet_sendCalls = () => ({ id: '0xba7c4' })
    wallet.answers.wallet_getCallsStatus = () => ({ status: 100 })
  }

  it('approves and swaps at once or not at all', async () => {
    const kit = await previewingSwap(sellDollars, smart)
    await planSwap(kit.hawser)
    expect(steps(kit)).toEqual(['batch next'])
    expect(await swapTokens(kit.hawser)).toBe('0xba7c4')
    expect(asked(kit)).toEqual([
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
              { to: ROUTER, data: '0x5ae401dc', value: '0x0' },
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
        calls: [{ to: ROUTER, data: '0x5ae401dc', value: '0' }],
      })
    })
    await swapTokens(kit.hawser)
    expect(asked(kit)[0]?.params).toMatchObject([
      {
        calls: [
          { to: DOLLAR_ADDRESS, data: approveData(ROUTER, 10_000_000n) },
          { to: ROUTER, data: '0x5ae401dc' },
        ],
      },
    ])
  })

  it('goes in a batch when the quote names several routers instead of one spender', async () => {
    const kit = await previewingSwap(sellDollars, (kit) => {
      smart(kit)
      kit.gateway.conversions.quote = (question) => ({ ...quoteOf(question), spender: null })
    })
    expect(await swapTokens(kit.hawser)).toBe('0xba7c4')
    expect(requestsFor(kit, '/convert/allowance')).toEqual([])
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
        calls: [{ to: DOLLAR_ADDRESS, data: approveData(ROUTER, 2n ** 256n - 1n), value: '0' }],
      })
    })
    expect(await swapTokens(kit.hawser)).toBe(undefined)
    expect(asked(kit)).toEqual([])
  })
})

describe('a swap that does not happen', () => {
  it('because the visitor declined keeps what was typed', async () => {
    const kit = await previewingSwap(sellEther)
    kit.wallet.answers.eth_sendTransaction = () => {
      throw walletError(4001, 'User rejected the request.')
    }
    expect(await swapTokens(kit.hawser)).toBe(undefined)
    expect(await toastAfter(kit)).toBe('Transaction declined')
    expect(kit.hawser.router.getState().view).toBe('SwapPreview')
    await settle()
    expect(readinessOf(kit)).toBe('ready')
    expect(kit.hawser.swap.getState()).toMatchObject({ status: 'draft', sourceTokenAmount: '0.5' })
  })

  it.each([
    ['the gateway says so', () => Promise.reject(new Refusal(400, 'PRICE_MOVED'))],
    ['less is promised than was shown', () => ({ amount: '989999999', toAmountMin: '989999999' })],
  ])('because the price moved shows the new quote and asks again: %s', async (_, transaction) => {
    const kit = await previewingSwap(sellEther, ({ gateway }) => {
      gateway.conversions.transaction = transaction
    })
    expect(await swapTokens(kit.hawser)).toBe(undefined)
    expect(asked(kit)).toEqual([])
    expect(kit.hawser.toast.getState().message).toBe('The price moved. Review the new quote.')
    expect(kit.hawser.swap.getState()).toMatchObject({ status: 'draft', hasPriceMoved: true })
    await settle()
    expect(requestsFor(kit, '/convert/quotes').length).toBeGreaterThan(1)
  })

  it.each([
    ['another amount of the own currency', { value: '500000000000000001' }],
    ['something that is no contract', { to: 'eip155:31337:0x' }],
  ])('because the gateway built one that sends %s', async (_, change) => {
    const kit = await previewingSwap(sellEther, ({ gateway }) => {
      gateway.conversions.transaction = ({ toAmountMin }) => ({
        amount: '1000000000',
        toAmountMin,
        ...change,
      })
    })
    expect(await swapTokens(kit.hawser)).toBe(undefined)
    expect(asked(kit)).toEqual([])
    expect(kit.hawser.toast.getState().message).toBe('Failed to create transaction')
  })

  it('because the allowance cannot be read says so', async () => {
    const kit = await previewingSwap(sellDollars, ({ gateway }) => {
      gateway.conversions.allowance = () => {
        throw new Refusal(503, 'CHAIN_UNAVAILABLE')
      }
    })
    expect(await swapTokens(kit.hawser)).toBe(undefined)
    expect(kit.hawser.toast.getState().message).toBe('Failed to check allowance')
  })

  it('because nothing is ready, or one is open already', async () => {
    const kit = await previewingSwap(sellEther)
    kit.wallet.answers.eth_sendTransaction = () => deferred<string>().promise
    void swapTokens(kit.hawser)
    await expect(swapTokens(kit.hawser)).rejects.toBeInstanceOf(SwapError)
    goBack(kit.hawser)
  })

  it('is not signed on a network the visitor did not see', async () => {
    const kit = await previewingSwap(sellEther)
    kit.wallet.answers.eth_chainId = () => '0x1'
    expect(await swapTokens(kit.hawser)).toBe(undefined)
    expect(asked(kit)).toEqual([])
  })

  it('leaves the quote alone while the wallet is asked', async () => {
    const kit = await previewingSwap(sellEther)
    kit.wallet.answers.eth_sendTransaction = () => deferred<string>().promise
    void swapTokens(kit.hawser)
    await settle()
    const before = requestsFor(kit, '/convert/quotes').length
    kit.gateway.conversions.quote = (question) => ({ ...quoteOf(question), toAmount: '1' })
    await kit.clock.advance(60_000)
    expect(requestsFor(kit, '/convert/quotes')).toHaveLength(before)
  })
})
