import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import type { ContractCall } from '../../types/adapter.ts'
import type { SwapContracts } from '../../types/swapContracts.ts'
import { builtInContracts } from './contracts.gen.ts'
import { NATIVE, type SwapTerms, ZERO_ADDRESS } from './effect.ts'
import { VerificationError } from './refusal.ts'
import { verifyCalls } from './verifyCalls.ts'

const numbered = (number: number): Hex => `0x${number.toString(16).padStart(40, '0')}`
const user = numbered(0xa11ce)
const attacker = numbered(0xbad)
const sold = numbered(0x501d)
const bought = numbered(0xb0)
const between = numbered(0x333)
const wrapped = numbered(0x57e7)
const router02 = numbered(0x1102)
const v3Router = numbered(0x1103)
const v2Router = numbered(0x1104)
const algebraRouter = numbered(0x110b)
const oneInch = numbered(0x1105)
const kyber = numbered(0x1106)
const lifi = numbered(0x1107)
const openOcean = numbered(0x1108)
const velora = numbered(0x1109)
const allowanceHolder = numbered(0x110a)
const settler = numbered(0x5e771e4)

const contracts: SwapContracts = {
  wrapped,
  routers: {
    [router02]: 'swap-router-02',
    [v3Router]: 'v3-router',
    [v2Router]: 'v2-router',
    [algebraRouter]: 'algebra-router',
    [oneInch]: '1inch',
    [kyber]: 'kyberswap',
    [lifi]: 'lifi',
    [openOcean]: 'openocean',
    [velora]: 'velora',
    [allowanceHolder]: '0x',
  },
}

const now = 1_700_000_000
const terms: Omit<SwapTerms, 'wrapped'> = { user, sold, bought, amount: 1_000n, minimum: 990n, now }
const soon = BigInt(now + 1_200)

const abi = parseAbi([
  'struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 limit; }',
  'struct Path { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }',
  'function multicall(uint256 deadline, bytes[] data)',
  'function exactInputSingle(Single params)',
  'function exactInput(Path params)',
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to)',
  'function unwrapWETH9(uint256 minimum, address recipient)',
  'function unwrapWETH9WithFee(uint256 minimum, address recipient, uint256 feeBips, address feeRecipient)',
  'function sweepToken(address token, uint256 minimum, address recipient)',
  'function sweepTokenWithFee(address token, uint256 minimum, address recipient, uint256 feeBips, address feeRecipient)',
  'function refundETH()',
  'function selfPermitIfNecessary(address token, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function approve(address spender, uint256 amount)',
  'function deposit()',
  'function withdraw(uint256 amount)',
  'function swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline)',
  'function swapExactTokensForAVAXSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
  'struct Generic { address srcToken; address destToken; uint256 fromAmount; uint256 toAmount; uint256 quotedAmount; bytes32 metadata; address beneficiary; }',
  'function swapExactAmountIn(address executor, Generic swapData, uint256 partnerAndFee, bytes permit, bytes executorData)',
  'struct LifiSwap { address callTo; address approveTo; address sending; address receiving; uint256 fromAmount; bytes callData; bool requiresDeposit; }',
  'function swapTokensMultipleV3ERC20ToERC20(bytes32 id, string integrator, string referrer, address receiver, uint256 minimum, LifiSwap[] swaps)',
  'function swapTokensSingleV3ERC20ToERC20(bytes32 id, string integrator, string referrer, address receiver, uint256 minimum, LifiSwap swap)',
  'function swapTokensSingleV3NativeToERC20(bytes32 id, string integrator, string referrer, address receiver, uint256 minimum, LifiSwap swap)',
  'function exec(address operator, address token, uint256 amount, address target, bytes data)',
  'struct Slippage { address recipient; address buyToken; uint256 minAmountOut; }',
  'function execute(Slippage slippage, bytes[] actions, bytes32 zidAndAffiliate)',
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function increaseAllowance(address spender, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
])
const v3Abi = parseAbi([
  'struct Path { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }',
  'function multicall(bytes[] data)',
  'function exactInput(Path params)',
  'function unwrapWNativeToken(uint256 minimum, address recipient)',
  'function unwrapWETH9(uint256 minimum, address recipient)',
])
const oneInchAbi = parseAbi([
  'struct Description { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; }',
  'function swap(address executor, Description desc, bytes data)',
])
const kyberAbi = parseAbi([
  'struct Description { address srcToken; address dstToken; address[] srcReceivers; uint256[] srcAmounts; address[] feeReceivers; uint256[] feeAmounts; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; bytes permit; }',
  'struct Params { address callTarget; address approveTarget; bytes targetData; Description desc; bytes clientData; }',
  'function swap(Params execution)',
  'function swapSimpleMode(address caller, Description desc, bytes executorData, bytes clientData)',
])
const openOceanAbi = parseAbi([
  'struct Description { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 guaranteedAmount; uint256 flags; address referrer; bytes permit; }',
  'struct Call { uint256 target; uint256 gasLimit; uint256 value; bytes data; }',
  'function swap(address caller, Description desc, Call[] calls)',
])

/** What an attacker may put in the place of each part of a swap. */
interface Parts {
  to: Hex
  tokenIn: Hex
  tokenOut: Hex
  amount: bigint
  minimum: bigint
  deadline: bigint
}

const honest: Parts = {
  to: user,
  tokenIn: sold,
  tokenOut: bought,
  amount: 1_000n,
  minimum: 990n,
  deadline: soon,
}

const call = (to: Hex, data: Hex, value = 0n): ContractCall => ({ to, data, value })
const path = (...tokens: Hex[]): Hex => `0x${tokens.map((token) => token.slice(2)).join('0001f4')}`
const zeroWord: Hex = `0x${'00'.repeat(32)}`

function multicall(deadline: bigint, ...data: Hex[]): Hex {
  return encodeFunctionData({ abi, functionName: 'multicall', args: [deadline, data] })
}

function single(parts: Parts, limit = 0n): Hex {
  const { tokenIn, tokenOut, to: recipient, amount: amountIn, minimum: amountOutMinimum } = parts
  const args = [{ tokenIn, tokenOut, fee: 500, recipient, amountIn, amountOutMinimum, limit }] as const
  return encodeFunctionData({ abi, functionName: 'exactInputSingle', args })
}

function sweep(token: Hex, minimum: bigint, to: Hex): Hex {
  return encodeFunctionData({ abi, functionName: 'sweepToken', args: [token, minimum, to] })
}

function lifiSwap({ tokenIn, tokenOut, amount }: Parts, requiresDeposit = true) {
  const [callTo, approveTo] = [attacker, attacker]
  return {
    callTo,
    approveTo,
    sending: tokenIn,
    receiving: tokenOut,
    fromAmount: amount,
    callData: '0x12' as Hex,
    requiresDeposit,
  }
}

function algebra(...steps: Hex[]): ContractCall {
  return call(algebraRouter, encodeFunctionData({ abi: v3Abi, functionName: 'multicall', args: [steps] }))
}

/** A swap along a path of tokens alone. */
function algebraStep(parts: Parts, recipient: Hex, amountOutMinimum: bigint): Hex {
  const { tokenIn, tokenOut, amount: amountIn, deadline } = parts
  const plain = `0x${[tokenIn, between, tokenOut].map((token) => token.slice(2)).join('')}` as const
  const params = { path: plain, recipient, deadline, amountIn, amountOutMinimum }
  return encodeFunctionData({ abi: v3Abi, functionName: 'exactInput', args: [params] })
}

function kyberDescription({ to, tokenIn, tokenOut, amount, minimum }: Parts, change: object = {}) {
  return {
    srcToken: tokenIn,
    dstToken: tokenOut,
    srcReceivers: [attacker],
    srcAmounts: [amount],
    feeReceivers: [] as Hex[],
    feeAmounts: [] as bigint[],
    dstReceiver: to,
    amount,
    minReturnAmount: minimum,
    flags: 0n,
    permit: '0x' as Hex,
    ...change,
  }
}

function kyberSwap(parts: Parts, change?: object): Hex {
  const execution = {
    callTarget: attacker,
    approveTarget: attacker,
    targetData: '0xabcdef' as Hex,
    desc: kyberDescription(parts, change),
    clientData: '0x7b7d' as Hex,
  }
  return encodeFunctionData({ abi: kyberAbi, functionName: 'swap', args: [execution] })
}

function oneInchSwap({ to, tokenIn, tokenOut, amount, minimum }: Parts, flags = 0n): Hex {
  const desc = {
    srcToken: tokenIn,
    dstToken: tokenOut,
    srcReceiver: attacker,
    dstReceiver: to,
    amount,
    minReturnAmount: minimum,
    flags,
  }
  return encodeFunctionData({ abi: oneInchAbi, functionName: 'swap', args: [attacker, desc, '0x1234'] })
}

function openOceanSwap({ to, tokenIn, tokenOut, amount, minimum }: Parts, change: object = {}): Hex {
  const desc = {
    srcToken: tokenIn,
    dstToken: tokenOut,
    srcReceiver: attacker,
    dstReceiver: to,
    amount,
    minReturnAmount: minimum,
    guaranteedAmount: minimum,
    flags: 2n,
    referrer: attacker,
    permit: '0x' as Hex,
    ...change,
  }
  const calls = [{ target: 1n, gasLimit: 0n, value: 0n, data: '0x1234' as Hex }]
  return encodeFunctionData({ abi: openOceanAbi, functionName: 'swap', args: [attacker, desc, calls] })
}

function veloraSwap({ to, tokenIn, tokenOut, amount, minimum }: Parts, partner = 0n, quoted = minimum): Hex {
  const data = {
    srcToken: tokenIn,
    destToken: tokenOut,
    fromAmount: amount,
    toAmount: minimum,
    quotedAmount: quoted,
    metadata: zeroWord,
    beneficiary: to,
  }
  return encodeFunctionData({
    abi,
    functionName: 'swapExactAmountIn',
    args: [attacker, data, partner, '0x', '0x1234'],
  })
}

function lifiMultiple(parts: Parts, ...more: ReturnType<typeof lifiSwap>[]): Hex {
  const args = [zeroWord, 'hawser', '', parts.to, parts.minimum, [lifiSwap(parts), ...more]] as const
  return encodeFunctionData({ abi, functionName: 'swapTokensMultipleV3ERC20ToERC20', args })
}

function zeroXSwap(
  { to, tokenIn, tokenOut, amount, minimum }: Parts,
  { operator = settler, target = settler, execute = '0x' as Hex } = {},
): Hex {
  const slippage = { recipient: to, buyToken: tokenOut, minAmountOut: minimum }
  const args = [slippage, ['0x12345678'], zeroWord] as const
  const inner = execute === '0x' ? encodeFunctionData({ abi, functionName: 'execute', args }) : execute
  return encodeFunctionData({ abi, functionName: 'exec', args: [operator, tokenIn, amount, target, inner] })
}

/** One swap through every kind of router: sells a token for a token. */
const routes: Record<string, (parts: Parts) => ContractCall> = {
  'SwapRouter02, one v3 pool': (parts) => call(router02, multicall(parts.deadline, single(parts))),
  'SwapRouter02, several v3 pools': ({ to, tokenIn, tokenOut, amount, minimum, deadline }) => {
    const params = {
      path: path(tokenIn, between, tokenOut),
      recipient: to,
      amountIn: amount,
      amountOutMinimum: minimum,
    }
    return call(
      router02,
      multicall(deadline, encodeFunctionData({ abi, functionName: 'exactInput', args: [params] })),
    )
  },
  'SwapRouter02, v2 pools': ({ to, tokenIn, tokenOut, amount, minimum, deadline }) => {
    const args = [amount, minimum, [tokenIn, between, tokenOut], to] as const
    return call(
      router02,
      multicall(deadline, encodeFunctionData({ abi, functionName: 'swapExactTokensForTokens', args })),
    )
  },
  'SwapRouter02, split and paid out together': (parts) => {
    const half = { ...parts, amount: parts.amount / 2n, minimum: 0n, to: numbered(2) }
    return call(
      router02,
      multicall(parts.deadline, single(half), single(half), sweep(parts.tokenOut, parts.minimum, parts.to)),
    )
  },
  'the first SwapRouter': ({ to, tokenIn, tokenOut, amount, minimum, deadline }) => {
    const params = {
      path: path(tokenIn, tokenOut),
      recipient: to,
      deadline,
      amountIn: amount,
      amountOutMinimum: minimum,
    }
    const step = encodeFunctionData({ abi: v3Abi, functionName: 'exactInput', args: [params] })
    return call(v3Router, encodeFunctionData({ abi: v3Abi, functionName: 'multicall', args: [[step]] }))
  },
  'the router of Algebra': (parts) => algebra(algebraStep(parts, parts.to, parts.minimum)),
  'the router of Algebra, paid out together': (parts) =>
    algebra(algebraStep(parts, ZERO_ADDRESS, 0n), sweep(parts.tokenOut, parts.minimum, parts.to)),
  'a v2 router': ({ to, tokenIn, tokenOut, amount, minimum, deadline }) => {
    const functionName = 'swapExactTokensForTokensSupportingFeeOnTransferTokens'
    const args = [amount, minimum, [tokenIn, between, tokenOut], to, deadline] as const
    return call(v2Router, encodeFunctionData({ abi, functionName, args }))
  },
  '1inch': (parts) => call(oneInch, oneInchSwap(parts)),
  KyberSwap: (parts) => call(kyber, kyberSwap(parts)),
  'KyberSwap, simple mode': (parts) => {
    const args = [attacker, kyberDescription(parts), '0x1234', '0x'] as const
    return call(kyber, encodeFunctionData({ abi: kyberAbi, functionName: 'swapSimpleMode', args }))
  },
  OpenOcean: (parts) => call(openOcean, openOceanSwap(parts)),
  Velora: (parts) => call(velora, veloraSwap(parts)),
  '0x': (parts) => call(allowanceHolder, zeroXSwap(parts)),
  'LI.FI, one swap': (parts) => {
    const args = [zeroWord, 'hawser', '', parts.to, parts.minimum, lifiSwap(parts)] as const
    return call(lifi, encodeFunctionData({ abi, functionName: 'swapTokensSingleV3ERC20ToERC20', args }))
  },
  'LI.FI, several swaps': (parts) =>
    call(lifi, lifiMultiple(parts, lifiSwap({ ...parts, tokenIn: parts.tokenOut, amount: 3n }, false))),
}

const verify = (calls: readonly ContractCall[], change: Partial<SwapTerms> = {}) =>
  verifyCalls(calls, contracts, { ...terms, ...change })
const expectRefused = (calls: readonly ContractCall[], change?: Partial<SwapTerms>) =>
  expect(() => verify(calls, change)).toThrow(VerificationError)

describe.each(Object.entries(routes))('a call of %s', (name, route) => {
  const hasDeadline = /SwapRouter|v2 router/.test(name)

  it('that is the swap passes, and may pay more', () => {
    verify([route(honest)])
    verify([route({ ...honest, minimum: 5_000n })])
  })

  it.each<[string, Partial<Parts>]>([
    ['pays somebody else', { to: attacker }],
    ['takes another token', { tokenIn: between }],
    ['takes more', { amount: 1_002n }],
    ['takes less', { amount: 998n }],
    ['pays another token', { tokenOut: attacker }],
    ['may pay less', { minimum: 989n }],
    ['may pay nothing', { minimum: 0n }],
  ])('that %s is refused', (_, change) => {
    expectRefused([route({ ...honest, ...change })])
  })

  it.runIf(hasDeadline)('that could be mined after an hour is refused', () => {
    verify([route({ ...honest, deadline: BigInt(now + 3_600) })])
    expectRefused([route({ ...honest, deadline: BigInt(now + 3_601) })])
  })

  it('that sends the own currency along, or begins with another selector, or ends early is refused', () => {
    const { to, data } = route(honest)
    expectRefused([{ to, data, value: 1n }])
    expectRefused([{ to, data: `0x12345678${data.slice(10)}`, value: 0n }])
    for (let cut = data.length - 64; cut > 2; cut -= 64)
      expectRefused([{ to, data: data.slice(0, cut), value: 0n }])
  })

  it('at any other contract, the sold token included, is refused', () => {
    const { data } = route(honest)
    for (const to of [attacker, sold, bought, user, wrapped]) expectRefused([{ to, data, value: 0n }])
  })

  it('with any word replaced by the attacker, or by all ones, passes only where it pays the user as before', () => {
    const { to, data } = route(honest)
    // Executors and what they are told are theirs: routers hold them to the minimum. Offsets and paddings change nothing or fail.
    const words = (data.length - 10) / 64
    for (let at = 0; at < Math.floor(words); at += 1) {
      for (const word of [attacker.slice(2).padStart(64, '0'), 'f'.repeat(64)]) {
        const start = 10 + at * 64
        const bent = `${data.slice(0, start)}${word}${data.slice(start + 64)}`
        try {
          verify([{ to, data: bent, value: 0n }])
        } catch (error) {
          expect(error).toBeInstanceOf(VerificationError)
          continue
        }
        expect(data.slice(start, start + 64)).not.toBe(user.slice(2).padStart(64, '0'))
      }
    }
  })
})

describe('the own currency', () => {
  const paysEther: Partial<SwapTerms> = { sold: NATIVE }
  const buysEther: Partial<SwapTerms> = { bought: NATIVE }
  const wrapSell = { ...honest, tokenIn: wrapped }
  const unwrap = (minimum: bigint, to: Hex) =>
    encodeFunctionData({ abi, functionName: 'unwrapWETH9', args: [minimum, to] })
  const toRouter = { ...honest, tokenOut: wrapped, to: numbered(2), minimum: 0n }

  it('is sold with exactly its value', () => {
    const data = multicall(soon, single(wrapSell), encodeFunctionData({ abi, functionName: 'refundETH' }))
    verify([call(router02, data, 1_000n)], paysEther)
    expectRefused([call(router02, data, 999n)], paysEther)
    expectRefused([call(router02, data, 0n)], paysEther)
  })

  it('is bought by unwrapping to the user', () => {
    verify([call(router02, multicall(soon, single(toRouter), unwrap(990n, user)))], buysEther)
    expectRefused([call(router02, multicall(soon, single(toRouter), unwrap(990n, attacker)))], buysEther)
    expectRefused([call(router02, multicall(soon, single(toRouter), unwrap(989n, user)))], buysEther)
    expectRefused([call(router02, multicall(soon, single(toRouter)))], buysEther)
  })

  it('is wrapped and unwrapped by the pinned wrapper only', () => {
    const deposit = encodeFunctionData({ abi, functionName: 'deposit' })
    const withdraw = encodeFunctionData({ abi, functionName: 'withdraw', args: [1_000n] })
    verify([call(wrapped, deposit, 1_000n)], { sold: NATIVE, bought: wrapped, minimum: 1_000n })
    verify([call(wrapped, withdraw)], { sold: wrapped, bought: NATIVE, minimum: 1_000n })
    expectRefused([call(wrapped, deposit, 999n)], { sold: NATIVE, bought: wrapped })
    expectRefused([call(attacker, deposit, 1_000n)], { sold: NATIVE, bought: wrapped })
    expectRefused([call(wrapped, withdraw)], { sold: NATIVE, bought: wrapped })
  })

  it('is sold and bought through a v2 router, however it spells it', () => {
    const paid = encodeFunctionData({
      abi,
      functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens',
      args: [990n, [wrapped, bought], user, soon],
    })
    verify([call(v2Router, paid, 1_000n)], paysEther)
    expectRefused([call(v2Router, paid, 1_001n)], paysEther)
    const got = encodeFunctionData({
      abi,
      functionName: 'swapExactTokensForAVAXSupportingFeeOnTransferTokens',
      args: [1_000n, 990n, [sold, wrapped], user, soon],
    })
    verify([call(v2Router, got)], buysEther)
    expectRefused([call(v2Router, got)])
  })

  it('is sold to vendors with its value, and to LI.FI without a deposit of a token', () => {
    const native = { ...honest, tokenIn: NATIVE as Hex }
    verify([call(oneInch, oneInchSwap(native), 1_000n)], paysEther)
    expectRefused([call(oneInch, oneInchSwap(native), 999n)], paysEther)
    const zero = lifiSwap({ ...honest, tokenIn: numbered(0) })
    const swap = (one: typeof zero) => {
      const args = [zeroWord, '', '', user, 990n, one] as const
      return encodeFunctionData({ abi, functionName: 'swapTokensSingleV3NativeToERC20', args })
    }
    verify([call(lifi, swap(zero), 1_000n)], paysEther)
    expectRefused([call(lifi, swap({ ...zero, sending: bought }), 1_000n)], paysEther)
  })
})

describe('what a router is asked beside the swap', () => {
  const feeSweep = (bps: bigint, minimum: bigint) => {
    const args = [bought, minimum, user, bps, attacker] as const
    return encodeFunctionData({ abi, functionName: 'sweepTokenWithFee', args })
  }
  const inRouter = single({ ...honest, to: numbered(2), minimum: 0n })

  it('may be a fee that leaves the user the minimum', () => {
    verify([call(router02, multicall(soon, inRouter, feeSweep(100n, 1_000n)))])
    expectRefused([call(router02, multicall(soon, inRouter, feeSweep(100n, 990n)))])
    expectRefused([call(router02, multicall(soon, inRouter, feeSweep(101n, 10_000n)))])
  })

  it('may not leave anything in the router, or sell a part only', () => {
    expectRefused([call(router02, multicall(soon, inRouter))])
    expectRefused([call(router02, multicall(soon, single(honest, 5n)))])
  })

  it('may be the permit of this swap, and no other', () => {
    const permit = (token: Hex, value: bigint) =>
      encodeFunctionData({
        abi,
        functionName: 'selfPermitIfNecessary',
        args: [token, value, soon, 27, zeroWord, zeroWord],
      })
    verify([call(router02, multicall(soon, permit(sold, 1_000n), single(honest)))])
    expectRefused([call(router02, multicall(soon, permit(sold, 1_001n), single(honest)))])
    expectRefused([call(router02, multicall(soon, permit(bought, 1_000n), single(honest)))])
  })

  it('may not be a multicall within, or another payment', () => {
    expectRefused([call(router02, multicall(soon, multicall(soon, single(honest))))])
    expectRefused([call(router02, multicall(soon, single(honest), sweep(sold, 0n, attacker)))])
    expectRefused([call(router02, multicall(soon, single(honest), sweep(bought, 0n, attacker)))])
  })

  it.each([
    ['1inch selling a part', call(oneInch, oneInchSwap(honest, 1n))],
    ['KyberSwap selling a part', call(kyber, kyberSwap(honest, { flags: 1n }))],
    ['KyberSwap taking more than it says', call(kyber, kyberSwap(honest, { srcAmounts: [600n, 401n] }))],
    [
      'KyberSwap taking a fee',
      call(kyber, kyberSwap(honest, { feeReceivers: [attacker], feeAmounts: [500n] })),
    ],
    ['KyberSwap handing in a permit', call(kyber, kyberSwap(honest, { permit: '0x12' }))],
    ['OpenOcean selling a part', call(openOcean, openOceanSwap(honest, { flags: 1n }))],
    ['OpenOcean handing in a permit', call(openOcean, openOceanSwap(honest, { permit: '0x12' }))],
    ['Velora taking a fee', call(velora, veloraSwap(honest, 200n))],
    ['Velora keeping what it did not quote', call(velora, veloraSwap(honest, 0n, 989n))],
    ['LI.FI taking a second deposit', call(lifi, lifiMultiple(honest, lifiSwap({ ...honest, amount: 1n })))],
    [
      'LI.FI taking another token',
      call(lifi, lifiMultiple(honest, lifiSwap({ ...honest, tokenIn: between }))),
    ],
    [
      'LI.FI swapping nothing',
      call(
        lifi,
        encodeFunctionData({
          abi,
          functionName: 'swapTokensMultipleV3ERC20ToERC20',
          args: [zeroWord, '', '', user, 990n, []],
        }),
      ),
    ],
  ])('is refused: %s', (_, bad) => {
    expectRefused([bad])
  })
})

describe('a call of 0x', () => {
  it('names the contract that is to be looked up in the registry, and no other call names one', () => {
    expect([...verify([call(allowanceHolder, zeroXSwap(honest))])]).toEqual([settler])
    expect([...verify([call(oneInch, oneInchSwap(honest))])]).toEqual([])
  })

  it('is refused where the amount is given to another contract than the one that is called, or to none', () => {
    const none = numbered(0)
    for (const parties of [{ operator: attacker }, { target: attacker }, { operator: none, target: none }]) {
      expectRefused([call(allowanceHolder, zeroXSwap(honest, parties))])
    }
  })

  it('is refused where it pays no account or no token, or calls anything else within', () => {
    expectRefused([call(allowanceHolder, zeroXSwap({ ...honest, to: numbered(0) }))])
    expectRefused([call(allowanceHolder, zeroXSwap({ ...honest, tokenOut: numbered(0) }))], {
      bought: NATIVE,
    })
    const transfer = encodeFunctionData({ abi, functionName: 'transfer', args: [attacker, 1_000n] })
    for (const execute of [transfer, '0x12' as Hex]) {
      expectRefused([call(allowanceHolder, zeroXSwap(honest, { execute }))])
    }
  })

  it('sells the own currency with its value, and buys it', () => {
    const data = zeroXSwap({ ...honest, tokenIn: numbered(0) })
    verify([call(allowanceHolder, data, 1_000n)], { sold: NATIVE })
    expectRefused([call(allowanceHolder, data, 999n)], { sold: NATIVE })
    verify([call(allowanceHolder, zeroXSwap({ ...honest, tokenOut: NATIVE as Hex }))], { bought: NATIVE })
  })

  it('is refused at the contract itself, which an allowance must never be given to', () => {
    const data = zeroXSwap(honest)
    expectRefused([call(settler, data)])
    const approve = encodeFunctionData({ abi, functionName: 'approve', args: [settler, 1_000n] })
    expectRefused([call(sold, approve), call(allowanceHolder, data)])
  })
})

describe('an approval in a batch', () => {
  const approve = (spender: Hex, amount: bigint) =>
    encodeFunctionData({ abi, functionName: 'approve', args: [spender, amount] })
  const swap = call(router02, multicall(soon, single(honest)))

  it('is of exactly what the router takes, after a reset perhaps', () => {
    verify([call(sold, approve(router02, 1_000n)), swap])
    verify([call(sold, approve(router02, 0n)), call(sold, approve(router02, 1_000n)), swap])
  })

  it('is of what each of several routers takes', () => {
    const half = { ...honest, amount: 500n, minimum: 495n }
    const calls = [
      call(sold, approve(router02, 500n)),
      call(sold, approve(v2Router, 500n)),
      call(router02, multicall(soon, single(half))),
      routes['a v2 router']?.(half) as ContractCall,
    ]
    verify(calls)
    expectRefused([call(sold, approve(router02, 1_000n)), ...calls.slice(1)])
  })

  it.each<[string, ContractCall]>([
    ['for more', call(sold, approve(router02, 1_001n))],
    ['for ever', call(sold, approve(router02, 2n ** 256n - 1n))],
    ['for nothing alone', call(sold, approve(router02, 0n))],
    ['for somebody else', call(sold, approve(attacker, 1_000n))],
    ['for a router that does not swap', call(sold, approve(v2Router, 1_000n))],
    ['of another token', call(bought, approve(router02, 1_000n))],
    ['in upper case', call(sold, approve(router02, 1_000n).toUpperCase().replace('0X', '0x') as Hex)],
    ['with bytes behind', call(sold, `${approve(router02, 1_000n)}00`)],
    ['with a word behind', call(sold, `${approve(router02, 1_000n)}${'0'.repeat(64)}`)],
    ['cut short', call(sold, approve(router02, 1_000n).slice(0, -2) as Hex)],
    [
      'for an address with more than 20 bytes',
      call(sold, approve(router02, 1_000n).replace('095ea7b30', '095ea7b31') as Hex),
    ],
    ['that pays', call(sold, approve(router02, 1_000n), 1n)],
    [
      'by transfer',
      call(sold, encodeFunctionData({ abi, functionName: 'transfer', args: [attacker, 1_000n] })),
    ],
    [
      'by transferFrom',
      call(sold, encodeFunctionData({ abi, functionName: 'transferFrom', args: [user, attacker, 1n] })),
    ],
    [
      'by increaseAllowance',
      call(sold, encodeFunctionData({ abi, functionName: 'increaseAllowance', args: [router02, 1n] })),
    ],
    [
      'by setApprovalForAll',
      call(sold, encodeFunctionData({ abi, functionName: 'setApprovalForAll', args: [router02, true] })),
    ],
    ['by Permit2', call(sold, `0x87517c45${'0'.repeat(256)}`)],
    [
      'by permit',
      call(
        sold,
        encodeFunctionData({
          abi,
          functionName: 'permit',
          args: [user, router02, 1n, soon, 27, zeroWord, zeroWord],
        }),
      ),
    ],
    ['by a plain payment', call(attacker, '0x', 1n)],
  ])('is refused %s', (_, bad) => {
    expectRefused([bad, swap])
    expectRefused([swap, bad])
  })

  it('is refused behind the swap, and without it', () => {
    expectRefused([swap, call(sold, approve(router02, 1_000n))])
    expectRefused([call(sold, approve(router02, 1_000n))])
    expectRefused([])
  })
})

describe('the contracts that the page is built with', () => {
  it('are of every network with venues, each with its wrapper and routers', () => {
    expect(Object.keys(builtInContracts)).toHaveLength(12)
    for (const { wrapped, routers } of Object.values(builtInContracts)) {
      expect(wrapped).toMatch(/^0x[0-9a-fA-F]{40}$/)
      expect(Object.keys(routers).length).toBeGreaterThan(0)
    }
    expect(builtInContracts['eip155:1']?.routers['0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45']).toBe(
      'swap-router-02',
    )
  })
})

describe('the router of Algebra', () => {
  const unwrapping = (functionName: 'unwrapWNativeToken' | 'unwrapWETH9') =>
    algebra(
      algebraStep({ ...honest, tokenOut: wrapped }, ZERO_ADDRESS, 0n),
      encodeFunctionData({ abi: v3Abi, functionName, args: [honest.minimum, user] }),
    )

  it('pays the native currency by its own name for that', () => {
    const native = { ...terms, bought: NATIVE }
    expect(() => verifyCalls([unwrapping('unwrapWNativeToken')], contracts, native)).not.toThrow()
    expect(() => verifyCalls([unwrapping('unwrapWETH9')], contracts, native)).toThrow(VerificationError)
  })

  it('is refused a path with fees', () => {
    const step = algebraStep(honest, user, honest.minimum)
    const stretched = step.replace(between.slice(2), `${between.slice(2)}0001f4`) as Hex
    expect(() => verifyCalls([algebra(stretched)], contracts, terms)).toThrow(VerificationError)
  })
})
