import { decodeFunctionData, encodeFunctionData, getAddress, type Hex, isAddress, parseAbi } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import { parseUnits } from '../amounts/units.ts'
import { approveData } from '../evm/evmCalls.ts'
import { ATTACKER, attacks, pick, poisoned, randomFrom } from '../testing/attacker.ts'
import {
  swapTokens as listed,
  quoteOf,
  ROUTER,
  swapData,
  type TransactionBody,
  typedPermit,
  WRAPPED,
} from '../testing/fakeConversions.ts'
import { ALICE, walletError } from '../testing/fakeWallet.ts'
import type { Kit } from '../testing/kit.ts'
import { askedOfWallet, previewingSwap, readinessOf, swapping } from '../testing/swapping.ts'
import { DOLLAR_ADDRESS, ETHER_ID } from '../testing/tokens.ts'
import { currentQuote, minimumReceived, slippageBps } from './amounts.ts'
import { swapTokens } from './swapTokens.ts'

const NOTHING = `0x${'00'.repeat(20)}` as const

const sellEther = { fromToken: 'ETH', toToken: 'tUSD', amount: '0.5' }
const sellDollars = { fromToken: 'tUSD', toToken: 'ETH', amount: '10' }
const wishes = [sellEther, sellDollars]

const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function multicall(uint256 deadline, bytes[] data)',
  'struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Single params)',
  'function unwrapWETH9(uint256 amountMinimum, address recipient)',
])

/**
 * Sets up the wallet's own node, which returns the true decimals of tokens, and whether the wallet sends
 * batches.
 */
function knowing({ wallet }: Kit, isAtomic = false): void {
  wallet.answers.eth_call = ([call]) => {
    const { to } = call as { to: string }
    return `0x${(isSame(to, DOLLAR_ADDRESS) ? 6 : 18).toString(16).padStart(64, '0')}`
  }
  wallet.answers.eth_signTypedData_v4 = () => `0x${'cd'.repeat(64)}1b`
  if (!isAtomic) return
  wallet.answers.wallet_getCapabilities = () => ({ '0x7a69': { atomic: { status: 'supported' } } })
  wallet.answers.wallet_sendCalls = () => ({ id: '0xba7c4' })
  wallet.answers.wallet_getCallsStatus = () => ({ status: 100 })
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/** Returns what the visitor agreed to, in base units by the true decimals. */
function agreement({ hawser }: Kit) {
  const swap = hawser.swap.getState()
  const quote = currentQuote(swap)
  const { sourceToken, toToken, sourceTokenAmount, slippage } = swap
  if (!quote || !sourceToken || !toToken) throw new Error('nothing is shown')
  const isEther = isSame(sourceToken.address, ETHER_ID)
  const isDollar = sourceToken.address.toLowerCase().endsWith(DOLLAR_ADDRESS.toLowerCase())
  return {
    sold: sourceToken.address.slice(sourceToken.address.lastIndexOf(':') + 1),
    isEther,
    amount: parseUnits(sourceTokenAmount, isDollar ? 6 : 18),
    minimum: minimumReceived(quote, slippageBps(slippage, quote)),
  }
}

/** Compares every request to the wallet with what the visitor agreed to, without the page's own verifier. */
function expectHarmless(kit: Kit, agreed: ReturnType<typeof agreement>): void {
  for (const { method, params } of askedOfWallet(kit)) {
    const [first, second] = params as [Record<string, unknown>, string]
    if (method === 'eth_signTypedData_v4') expectHarmlessPermit(JSON.parse(second), agreed)
    else if (method === 'wallet_sendCalls') {
      expect(first.chainId).toBe('0x7a69')
      for (const call of first.calls as Called[]) expectHarmlessCall(call, agreed)
    } else {
      expect(method).toBe('eth_sendTransaction')
      expect(first.chainId).toBe('0x7a69')
      expectHarmlessCall(first as unknown as Called, agreed)
    }
  }
}

interface Called {
  readonly to: string
  readonly data: Hex
  readonly value: Hex
}

type Agreed = ReturnType<typeof agreement>

function expectHarmlessPermit({ domain, message, types }: ReturnType<typeof typedPermit>, agreed: Agreed) {
  expect(Object.keys(types)).toEqual(['EIP712Domain', 'Permit'])
  expect(getAddress(domain.verifyingContract)).toBe(getAddress(agreed.sold))
  expect(message).toMatchObject({ owner: ALICE, value: agreed.amount.toString() })
  expect(getAddress(message.spender)).toBe(ROUTER)
  expect(Number(message.deadline)).toBeLessThanOrEqual(1_700_000_000 + 3_600)
}

function expectHarmlessCall({ to, data, value }: Called, agreed: Agreed): void {
  const { functionName, args } = decodeFunctionData({ abi, data })
  if (functionName === 'approve') {
    expect(to.toLowerCase()).toBe(agreed.sold.toLowerCase())
    expect(data).toHaveLength(138)
    expect(args[0]).toBe(ROUTER)
    expect([0n, agreed.amount]).toContain(args[1])
    expect(BigInt(value)).toBe(0n)
    return
  }
  expect(getAddress(to)).toBe(ROUTER)
  expect(BigInt(value)).toBe(agreed.isEther ? agreed.amount : 0n)
  if (functionName !== 'multicall') throw new Error(`${functionName} is called alone`)
  let [taken, paid] = [0n, 0n]
  for (const step of args[1]) {
    const call = decodeFunctionData({ abi, data: step })
    if (call.functionName === 'exactInputSingle') {
      taken += call.args[0].amountIn
      if (call.args[0].recipient === ALICE) paid += call.args[0].amountOutMinimum
      else expect(call.args[0].recipient).toBe('0x0000000000000000000000000000000000000002')
    } else if (call.functionName === 'unwrapWETH9') {
      expect(call.args[1]).toBe(ALICE)
      paid += call.args[0]
    } else throw new Error(`${call.functionName} within`)
  }
  expect(taken).toBe(agreed.amount)
  expect(paid).toBeGreaterThanOrEqual(agreed.minimum)
}

describe('a gateway that builds another transaction than the swap', () => {
  const body = {
    from: ETHER_ID,
    to: ETHER_ID,
    amount: '1',
    toAmountMin: '1',
    userAddress: ALICE,
  } as TransactionBody
  const kinds = attacks(body).map((_, index) => index)

  it.each(kinds.flatMap((kind) => wishes.map((wish) => [kind, wish.fromToken, wish] as const)))(
    'gets nothing to the wallet by attack %i on %s',
    async (kind, _, wish) => {
      const kit = await previewingSwap(wish, (kit) => {
        knowing(kit)
        kit.gateway.conversions.transaction = (asked) => {
          const { to, data, value } = attacks(asked)[kind] as ReturnType<typeof attacks>[number]
          return { amount: '1', toAmountMin: asked.toAmountMin, to: `eip155:31337:${to}`, data, value }
        }
      })
      expect(await swapTokens(kit.hawser)).toBe(undefined)
      expect(askedOfWallet(kit)).toEqual([])
      expect(kit.hawser.swap.getState().refusal).toBeTruthy()
    },
  )

  it.each(kinds)('gets nothing into a batch by attack %i', async (kind) => {
    for (const place of ['alone', 'before', 'behind', 'between'] as const) {
      const kit = await previewingSwap(sellDollars, (kit) => {
        knowing(kit, true)
        kit.gateway.conversions.allowance = () => '0'
        kit.gateway.conversions.transaction = (asked) => {
          const approval = { to: DOLLAR_ADDRESS, data: approveData(ROUTER, BigInt(asked.amount)), value: '0' }
          const swap = { to: ROUTER, data: swapData(asked), value: '0' }
          const bad = attacks(asked)[kind] as typeof swap
          const calls = {
            alone: [bad],
            before: [bad, approval, swap],
            behind: [approval, swap, bad],
            between: [approval, bad, swap],
          }
          return { amount: '1', toAmountMin: asked.toAmountMin, calls: calls[place] }
        }
      })
      expect(await swapTokens(kit.hawser)).toBe(undefined)
      expect(askedOfWallet(kit)).toEqual([])
    }
  })

  it('gets nothing to the wallet for another network', async () => {
    const kit = await previewingSwap(sellEther, (kit) => {
      kit.gateway.conversions.transaction = (asked) => ({
        amount: '1',
        toAmountMin: asked.toAmountMin,
        to: `eip155:1:${ROUTER}`,
      })
    })
    expect(await swapTokens(kit.hawser)).toBe(undefined)
    expect(askedOfWallet(kit)).toEqual([])
  })
})

describe('a gateway that hands a swap to a Settler of 0x', () => {
  const HOLDER = '0x0000000000001fF3684f28c67538d4D072C22734'
  const SETTLER = '0x00000000000000000000000000000000005e771e'
  const REGISTRY = '0x00000000000004533Fe15556B1E086BB1A72cEae'
  const settlerAbi = parseAbi([
    'function exec(address operator, address token, uint256 amount, address target, bytes data)',
    'struct Slippage { address recipient; address buyToken; uint256 minAmountOut; }',
    'function execute(Slippage slippage, bytes[] actions, bytes32 zidAndAffiliate)',
    'function ownerOf(uint256 tokenId)',
    'function prev(uint128 featureId)',
  ])
  const word = (address: string) => `0x${address.slice(2).padStart(64, '0')}`
  const reverts = () => {
    throw walletError(3, 'execution reverted')
  }

  /** Sells ether through AllowanceHolder; the test sets the answers of the registry. */
  const sellingTo = (settler: string, registry: { ownerOf: () => unknown; prev: () => unknown }) =>
    previewingSwap(sellEther, ({ hawser, gateway, wallet }) => {
      const pinned = { wrapped: WRAPPED, routers: { [ROUTER]: 'swap-router-02', [HOLDER]: '0x' } } as const
      hawser.options.setState({ swapContracts: { 'eip155:31337': pinned } })
      gateway.conversions.transaction = ({ amount, toAmountMin }) => {
        const slippage = {
          recipient: ALICE,
          buyToken: DOLLAR_ADDRESS,
          minAmountOut: BigInt(toAmountMin),
        } as const
        const inner = encodeFunctionData({
          abi: settlerAbi,
          functionName: 'execute',
          args: [slippage, ['0x12345678'], word('0x00') as Hex],
        })
        const to = settler as Hex
        const data = encodeFunctionData({
          abi: settlerAbi,
          functionName: 'exec',
          args: [to, NOTHING, BigInt(amount), to, inner],
        })
        return { amount: toAmountMin, toAmountMin, to: `eip155:31337:${HOLDER}`, data, value: amount }
      }
      wallet.answers.eth_call = ([call]) => {
        const { to, data } = call as { to: string; data: Hex }
        if (to !== REGISTRY) return `0x${'6'.padStart(64, '0')}`
        const { functionName, args } = decodeFunctionData({ abi: settlerAbi, data })
        expect(args).toEqual([2n])
        return functionName === 'ownerOf' ? registry.ownerOf() : registry.prev()
      }
      // The gateway's own node would confirm whatever Settler the gateway names.
      gateway.node.eth_call = () => word(settler)
    })

  it.each([
    ['the one in use', { ownerOf: () => word(SETTLER), prev: reverts }],
    ['the one before', { ownerOf: () => word(ATTACKER), prev: () => word(SETTLER) }],
  ])('gets it to the wallet when it is %s', async (_, registry) => {
    const kit = await sellingTo(SETTLER, registry)
    expect(await swapTokens(kit.hawser)).toBeDefined()
    expect(askedOfWallet(kit)).toMatchObject([{ params: [{ to: HOLDER, value: '0x6f05b59d3b20000' }] }])
  })

  it.each([
    ['is in no registry', ATTACKER, { ownerOf: () => word(SETTLER), prev: () => word(SETTLER) }],
    [
      'was the one before, while the registry is paused',
      SETTLER,
      { ownerOf: reverts, prev: () => word(SETTLER) },
    ],
    ['is said to be none by a wallet without a registry', SETTLER, { ownerOf: () => '0x', prev: () => '0x' }],
    [
      'is named with more than its address',
      SETTLER,
      { ownerOf: () => `${word(SETTLER)}00`, prev: () => null },
    ],
    ['is unknown to a wallet that reads nothing', SETTLER, { ownerOf: reverts, prev: reverts }],
  ])('gets nothing to the wallet when it %s', async (_, settler, registry) => {
    const kit = await sellingTo(settler, registry)
    expect(await swapTokens(kit.hawser)).toBe(undefined)
    expect(askedOfWallet(kit)).toEqual([])
    expect(kit.hawser.swap.getState().refusal?.message).toContain('registry of 0x')
  })

  it('gets nothing to a wallet that is silent for five seconds', async () => {
    const kit = await sellingTo(SETTLER, { ownerOf: () => new Promise(() => undefined), prev: reverts })
    const sent = swapTokens(kit.hawser)
    await vi.waitFor(() => {
      const asked = kit.wallet.calls.filter(({ method }) => method === 'eth_call')
      expect(asked.some(({ params: [call] }) => (call as { to: string }).to === REGISTRY)).toBe(true)
    })
    await kit.clock.advance(5_000)
    expect(await sent).toBe(undefined)
    expect(askedOfWallet(kit)).toEqual([])
  })
})

describe('a gateway that names another spender', () => {
  it.each([ATTACKER, DOLLAR_ADDRESS, ALICE, ROUTER.replace('0x68', '0x69')])(
    'gets no approval for %s',
    async (spender) => {
      const kit = await previewingSwap(sellDollars, (kit) => {
        knowing(kit)
        kit.gateway.conversions.allowance = () => '0'
        kit.gateway.conversions.quote = (question) => ({ ...quoteOf(question), spender })
      })
      expect(await swapTokens(kit.hawser)).toBe(undefined)
      expect(askedOfWallet(kit)).toEqual([])
      expect(kit.hawser.swap.getState().refusal?.message).toContain('not one that this page swaps with')
    },
  )

  it('cannot add a contract by having the site say so', async () => {
    const kit = await previewingSwap(sellEther, ({ hawser }) =>
      hawser.options.setState({ swapContracts: {} }),
    )
    expect(await swapTokens(kit.hawser)).toBe(undefined)
    expect(kit.hawser.swap.getState().refusal?.message).toContain('supports no exchange')
  })
})

describe('a gateway that gives tokens other decimals', () => {
  it.each([
    ['sold', { tUSD: 18 }, sellDollars],
    ['bought', { tUSD: 3 }, sellEther],
    ['native currency, sold', { ETH: 6 }, sellEther],
    ['native currency, bought', { ETH: 24 }, sellDollars],
  ] as const)('is refused: those of the %s', async (_, decimals, wish) => {
    const amount = 'tUSD' in decimals && decimals.tUSD === 18 ? '0.00000000001' : '0.000001'
    const kit = await previewingSwap({ ...wish, amount }, (kit) => {
      knowing(kit)
      kit.gateway.conversions.quote = (question) => ({ ...quoteOf(question), networkFee: '0' })
      kit.gateway.conversions.tokens = () =>
        listed.map((token) => ({
          ...token,
          decimals: new Map(Object.entries(decimals)).get(token.symbol ?? '') ?? token.decimals ?? 0,
        }))
    })
    expect(await swapTokens(kit.hawser)).toBe(undefined)
    expect(askedOfWallet(kit)).toEqual([])
    expect(kit.hawser.swap.getState().refusal?.message).toMatch(/ has \d+ decimals, not \d+/)
  })

  it('is believed where the wallet cannot say', async () => {
    const kit = await previewingSwap(sellEther, ({ wallet }) => {
      wallet.answers.eth_call = () => {
        throw walletError(4200, 'not supported')
      }
    })
    expect(await swapTokens(kit.hawser)).toBeDefined()
  })
})

describe('a gateway whose answers are all partly an attacker’s', () => {
  it.each(Array.from({ length: 60 }, (_, seed) => seed))(
    'gets nothing harmful to the wallet: seed %i',
    async (seed) => {
      const random = randomFrom(seed)
      const wish = pick(wishes, random)
      const isAtomic = random() < 0.4
      let isShown = false
      const kit = await swapping(wish, (kit) => {
        knowing(kit, isAtomic)
        const { conversions, node } = kit.gateway
        conversions.allowance = () => pick(['0', '1', '99999999999999999999'], random)
        conversions.tokens = () => listed.map((token) => ({ ...token, eip2612: random() < 0.5 }))
        conversions.approve = () => poisoned({ reset: random() < 0.5, spender: ATTACKER }, random)
        conversions.permit = () => ({
          typedData: JSON.stringify(poisoned(typedPermit(), random)),
          deadline: '1700000300',
        })
        // The visitor agrees to what is shown. Later answers of the gateway may be anything.
        conversions.quote = (question) => {
          const quote = { ...quoteOf(question), ...(random() < 0.2 && { spender: ATTACKER }) }
          return isShown ? poisoned(quote, random) : quote
        }
        conversions.transaction = (asked) => {
          const bad = pick(attacks(asked), random)
          const swap = {
            to: ROUTER,
            data: swapData(asked),
            value: asked.from === ETHER_ID ? asked.amount : '0',
          }
          const approval = { to: DOLLAR_ADDRESS, data: approveData(ROUTER, BigInt(asked.amount)), value: '0' }
          const calls = asked.from === ETHER_ID ? [swap] : [approval, swap]
          if (random() < 0.5) calls.splice(Math.floor(random() * 3), random() < 0.5 ? 1 : 0, bad)
          const single = random() < 0.5 ? swap : bad
          return poisoned(
            {
              amount: '1000000000000000000',
              toAmountMin: asked.toAmountMin,
              calls,
              to: `eip155:31337:${single.to}`,
              data: single.data,
              value: single.value,
            },
            random,
          )
        }
        node.eth_getCode = () => pick(['0x', '0x6001'], random)
        node.eth_getTransactionReceipt = () => ({ status: pick(['0x0', '0x1', '0x1'], random) })
      })
      if (readinessOf(kit) !== 'ready') return
      const agreed = agreement(kit)
      isShown = true
      await swapTokens(kit.hawser, { acceptsUnconfirmed: true })
      expectHarmless(kit, agreed)
    },
  )

  it('is a swap like any other where the gateway is honest', async () => {
    const kit = await previewingSwap(sellDollars, (kit) => {
      knowing(kit)
      kit.gateway.conversions.allowance = () => '0'
    })
    const agreed = agreement(kit)
    expect(isAddress(agreed.sold)).toBe(true)
    await swapTokens(kit.hawser)
    expect(askedOfWallet(kit)).toHaveLength(2)
    expectHarmless(kit, agreed)
  })
})
