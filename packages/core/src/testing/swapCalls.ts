import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { expect } from 'vitest'
import { type SwapTerms, ZERO_ADDRESS } from '../swap/verify/effect.ts'
import { VerificationError } from '../swap/verify/refusal.ts'
import { verifyCalls } from '../swap/verify/verifyCalls.ts'
import type { ContractCall } from '../types/adapter.ts'
import type { SwapContracts } from '../types/swapContracts.ts'

export const numbered = (number: number): Hex => `0x${number.toString(16).padStart(40, '0')}`
export const user = numbered(0xa11ce)
export const attacker = numbered(0xbad)
export const sold = numbered(0x501d)
export const bought = numbered(0xb0)
export const between = numbered(0x333)
export const wrapped = numbered(0x57e7)
export const router02 = numbered(0x1102)
const v3Router = numbered(0x1103)
export const v2Router = numbered(0x1104)
const algebraRouter = numbered(0x110b)
export const oneInch = numbered(0x1105)
export const allowanceHolder = numbered(0x110a)
export const settler = numbered(0x5e771e4)

export const contracts: SwapContracts = {
  wrapped,
  routers: {
    [router02]: 'swap-router-02',
    [v3Router]: 'v3-router',
    [v2Router]: 'v2-router',
    [algebraRouter]: 'algebra-router',
    [oneInch]: '1inch',
    [allowanceHolder]: '0x',
  },
}

export const now = 1_700_000_000
export const terms: Omit<SwapTerms, 'wrapped'> = { user, sold, bought, amount: 1_000n, minimum: 990n, now }
export const soon = BigInt(now + 1_200)

export const abi = parseAbi([
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
  'function exec(address operator, address token, uint256 amount, address target, bytes data)',
  'struct Slippage { address recipient; address buyToken; uint256 minAmountOut; }',
  'function execute(Slippage slippage, bytes[] actions, bytes32 zidAndAffiliate)',
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function increaseAllowance(address spender, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
])
export const v3Abi = parseAbi([
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

/** What an attacker may put in the place of each part of a swap. */
export interface Parts {
  to: Hex
  tokenIn: Hex
  tokenOut: Hex
  amount: bigint
  minimum: bigint
  deadline: bigint
}

export const honest: Parts = {
  to: user,
  tokenIn: sold,
  tokenOut: bought,
  amount: 1_000n,
  minimum: 990n,
  deadline: soon,
}

export const call = (to: Hex, data: Hex, value = 0n): ContractCall => ({ to, data, value })
const path = (...tokens: Hex[]): Hex => `0x${tokens.map((token) => token.slice(2)).join('0001f4')}`
export const zeroWord: Hex = `0x${'00'.repeat(32)}`

export function multicall(deadline: bigint, ...data: Hex[]): Hex {
  return encodeFunctionData({ abi, functionName: 'multicall', args: [deadline, data] })
}

export function single(parts: Parts, limit = 0n): Hex {
  const { tokenIn, tokenOut, to: recipient, amount: amountIn, minimum: amountOutMinimum } = parts
  const args = [{ tokenIn, tokenOut, fee: 500, recipient, amountIn, amountOutMinimum, limit }] as const
  return encodeFunctionData({ abi, functionName: 'exactInputSingle', args })
}

export function sweep(token: Hex, minimum: bigint, to: Hex): Hex {
  return encodeFunctionData({ abi, functionName: 'sweepToken', args: [token, minimum, to] })
}

export function algebra(...steps: Hex[]): ContractCall {
  return call(algebraRouter, encodeFunctionData({ abi: v3Abi, functionName: 'multicall', args: [steps] }))
}

/** Returns a swap along a path that has only tokens. */
export function algebraStep(parts: Parts, recipient: Hex, amountOutMinimum: bigint): Hex {
  const { tokenIn, tokenOut, amount: amountIn, deadline } = parts
  const plain = `0x${[tokenIn, between, tokenOut].map((token) => token.slice(2)).join('')}` as const
  const params = { path: plain, recipient, deadline, amountIn, amountOutMinimum }
  return encodeFunctionData({ abi: v3Abi, functionName: 'exactInput', args: [params] })
}

export function oneInchSwap({ to, tokenIn, tokenOut, amount, minimum }: Parts, flags = 0n): Hex {
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

export function zeroXSwap(
  { to, tokenIn, tokenOut, amount, minimum }: Parts,
  { operator = settler, target = settler, execute = '0x' as Hex } = {},
): Hex {
  const slippage = { recipient: to, buyToken: tokenOut, minAmountOut: minimum }
  const args = [slippage, ['0x12345678'], zeroWord] as const
  const inner = execute === '0x' ? encodeFunctionData({ abi, functionName: 'execute', args }) : execute
  return encodeFunctionData({ abi, functionName: 'exec', args: [operator, tokenIn, amount, target, inner] })
}

/** One swap through every kind of router: sells a token for a token. */
export const routes: Record<string, (parts: Parts) => ContractCall> = {
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
  '0x': (parts) => call(allowanceHolder, zeroXSwap(parts)),
}

export const verify = (calls: readonly ContractCall[], change: Partial<SwapTerms> = {}) =>
  verifyCalls(calls, contracts, { ...terms, ...change })
export const expectRefused = (calls: readonly ContractCall[], change?: Partial<SwapTerms>) =>
  expect(() => verify(calls, change)).toThrow(VerificationError)
