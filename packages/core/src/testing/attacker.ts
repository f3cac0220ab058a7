import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { ROUTER, swapData, type TransactionBody } from './fakeConversions.ts'
import { ALICE } from './fakeWallet.ts'
import { DOLLAR_ADDRESS } from './tokens.ts'

export const ATTACKER = '0x000000000000000000000000000000000000bad0'

const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function increaseAllowance(address spender, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
])
const permit2Abi = parseAbi([
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
])
const ALL = 2n ** 256n - 1n

interface Call {
  readonly to: string
  readonly data: string
  readonly value: string
}

/** Returns calls that would steal the visitor's tokens instead of swapping them. */
export function attacks(body: TransactionBody): readonly Call[] {
  const approve = (spender: Hex, amount: bigint) =>
    encodeFunctionData({ abi, functionName: 'approve', args: [spender, amount] })
  const change = (terms: Parameters<typeof swapData>[1]) => swapData(body, terms)
  const dollars: string[] = [
    encodeFunctionData({ abi, functionName: 'transfer', args: [ATTACKER, 1n] }),
    encodeFunctionData({ abi, functionName: 'transferFrom', args: [ALICE, ATTACKER, 1n] }),
    encodeFunctionData({ abi, functionName: 'increaseAllowance', args: [ATTACKER, ALL] }),
    encodeFunctionData({ abi, functionName: 'setApprovalForAll', args: [ATTACKER, true] }),
    approve(ATTACKER, BigInt(body.amount)),
    approve(ROUTER, ALL),
    `0x${approve(ROUTER, ALL).slice(2).toUpperCase()}`,
    `${approve(ROUTER, BigInt(body.amount))}00`,
    swapData(body),
  ]
  const value = body.from.endsWith('eeee') ? body.amount : '0'
  const routed = [
    change({ recipient: ATTACKER }),
    change({ minimum: 0n }),
    change({ minimum: BigInt(body.toAmountMin) - 1n }),
    change({ amount: BigInt(body.amount) * 2n }),
    change({ tokenIn: ATTACKER }),
    // The unwrapped amount does not depend on what was bought before: if the router holds less, it reverts.
    change(body.to.endsWith('eeee') ? { recipient: ROUTER } : { tokenOut: ATTACKER }),
    change({ deadline: 4_000_000_000n }),
    '0x',
    `0x${swapData(body).slice(2).toUpperCase()}`,
  ]
  const permit2 = encodeFunctionData({
    abi: permit2Abi,
    functionName: 'approve',
    args: [DOLLAR_ADDRESS, ATTACKER, 2n ** 160n - 1n, 4_000_000_000],
  })
  return [
    ...dollars.map((data) => ({ to: DOLLAR_ADDRESS, data, value })),
    ...routed.map((data) => ({ to: ROUTER, data, value })),
    { to: ROUTER, data: swapData(body), value: String(BigInt(value) + 1n) },
    { to: '0x000000000022D473030F116dDEE9F6B43aC78BA3', data: permit2, value },
    { to: ATTACKER, data: swapData(body), value },
    { to: ATTACKER, data: '0x', value: '1000000000000000000' },
    { to: ALICE, data: '0x', value },
  ]
}

/** Returns random numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const poisons: readonly unknown[] = [
  ATTACKER,
  `eip155:31337:${ATTACKER}`,
  `eip155:1:${ROUTER}`,
  DOLLAR_ADDRESS,
  ALL.toString(),
  '1',
  '0',
  '',
  '0x',
  18,
  0,
  true,
  false,
]

/**
 * Returns an answer in which about a third of the members are the attacker's, each of the type that it
 * replaces.
 */
export function poisoned<T>(answer: T, random: () => number): T {
  if (Array.isArray(answer)) return answer.map((member) => poisoned(member, random)) as T
  if (typeof answer === 'object' && answer !== null) {
    return Object.fromEntries(
      Object.entries(answer).map(([key, value]) => [key, poisoned(value, random)]),
    ) as T
  }
  if (random() >= 0.3) return answer
  const fitting = poisons.filter((poison) => typeof poison === typeof answer)
  return pick(fitting, random) as T
}

export function pick<T>(items: readonly T[], random: () => number): T {
  return items[Math.floor(random() * items.length)] as T
}
