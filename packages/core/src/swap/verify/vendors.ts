import { type AbiType, readArguments, splitCallData } from './abi.ts'
import { type CallReader, NATIVE, type SwapTerms, ZERO_ADDRESS } from './effect.ts'
import { refuse } from './refusal.ts'

/** Each of these routers pays the receiver at least the minimum or reverts, whatever its executor does. */
interface Claims {
  readonly sold: string
  readonly bought: string
  readonly receiver: string
  readonly amount: bigint
  readonly minimum: bigint
}

/** Returns the native currency in one form. Vendors write it as 0xeeee…eeee or as zero. */
function spelled(token: string): string {
  return token === ZERO_ADDRESS ? NATIVE : token
}

function verify({ sold, bought, receiver, amount, minimum }: Claims, terms: SwapTerms) {
  if (spelled(sold) !== terms.sold || spelled(bought) !== terms.bought)
    refuse('The router trades another token')
  // Zero is the caller.
  if (receiver !== terms.user && receiver !== ZERO_ADDRESS) refuse('The router pays another account')
  return { taken: amount, paid: minimum }
}

/**
 * Flags of 1inch, which the vendors below share: the router may sell only a part; the router burns gas tokens
 * for the user.
 */
const PARTIAL_FILL = 0x01n
const BURNS = 0x18n

/** `swap(address,SwapDescription,bytes)` of AggregationRouterV6. Its shorter functions do not name the bought token. */
export const readOneInch: CallReader = (selector, body, terms) => {
  if (selector !== '0x07ed2379') refuse('The router is called in an unexpected way')
  const description = ['address', 'address', 'address', 'address', 'uint', 'uint', 'uint'] as const
  const [, [sold, bought, , receiver, amount, minimum, flags]] = readArguments(
    ['address', description, 'bytes'],
    body,
  )
  if (flags & PARTIAL_FILL) refuse('The router may sell only a part')
  return verify({ sold, bought, receiver, amount, minimum }, terms)
}

const kyberDescription = [
  'address',
  'address',
  { list: 'address' },
  { list: 'uint' },
  { list: 'address' },
  { list: 'uint' },
  'address',
  'uint',
  'uint',
  'uint',
  'bytes',
] as const satisfies readonly AbiType[]

/** `swap(SwapExecutionParams)` and `swapSimpleMode(…)` of MetaAggregationRouterV2. */
export const readKyberSwap: CallReader = (selector, body, terms) => {
  const [sold, bought, , sent, feeReceivers, , receiver, amount, minimum, flags, permit] =
    selector === '0xe21fd0e9'
      ? readArguments([['address', 'address', 'bytes', kyberDescription, 'bytes']], body)[0][3]
      : selector === '0x8af033fb'
        ? readArguments(['address', kyberDescription, 'bytes', 'bytes'], body)[1]
        : refuse('The router is called in an unexpected way')
  if (flags & (PARTIAL_FILL | BURNS)) refuse('The router may sell only a part')
  const isMore = sent.reduce((all, share) => all + share, 0n) > amount
  if (isMore || feeReceivers.length > 0 || permit !== '') refuse('The router takes more than is sold')
  return verify({ sold, bought, receiver, amount, minimum }, terms)
}

/** `swap(address,SwapDescription,CallDescription[])` of OpenOceanExchange. */
export const readOpenOcean: CallReader = (selector, body, terms) => {
  if (selector !== '0x90411a32') refuse('The router is called in an unexpected way')
  const description = [
    'address',
    'address',
    'address',
    'address',
    'uint',
    'uint',
    'uint',
    'uint',
    'address',
    'bytes',
  ] as const
  const call = ['uint', 'uint', 'uint', 'bytes'] as const
  const [, [sold, bought, , receiver, amount, minimum, , flags, , permit]] = readArguments(
    ['address', description, { list: call }],
    body,
  )
  if (flags & (PARTIAL_FILL | BURNS)) refuse('The router may sell only a part')
  if (permit !== '') refuse('The router takes more than is sold')
  return verify({ sold, bought, receiver, amount, minimum }, terms)
}

/** The bits of a partner's fee in basis points, in an argument of Augustus. */
const PARTNER_FEE = 0x3fffn

/** `swapExactAmountIn(…)` of Augustus v6.2. It may keep what it pays above the quoted amount. */
export const readVelora: CallReader = (selector, body, terms) => {
  if (selector !== '0xe3ead59e') refuse('The router is called in an unexpected way')
  const data = ['address', 'address', 'uint', 'uint', 'uint', 'uint', 'address'] as const
  const [, [sold, bought, amount, minimum, quoted, , receiver], partner, permit] = readArguments(
    ['address', data, 'uint', 'bytes', 'bytes'],
    body,
  )
  if (partner & PARTNER_FEE || quoted < minimum) refuse('The router keeps a part of the output')
  if (permit !== '') refuse('The router takes more than is sold')
  return verify({ sold, bought, receiver, amount, minimum }, terms)
}

/**
 * `exec(…)` of AllowanceHolder, which lets a Settler take the amount and calls its
 * `execute(AllowedSlippage,bytes[],bytes32)`. A Settler pays the recipient at least the minimum or reverts,
 * whatever its actions are. For a Settler, the zero address stands for neither the caller nor the native
 * currency.
 */
export const readZeroX: CallReader = (selector, body, terms) => {
  if (selector !== '0x2213bc0b') refuse('The router is called in an unexpected way')
  const [settler, sold, amount, target, inner] = readArguments(
    ['address', 'address', 'uint', 'address', 'bytes'],
    body,
  )
  if (settler !== target || settler === ZERO_ADDRESS) refuse('The amount goes to another contract')
  const execute = splitCallData(`0x${inner}`)
  if (execute.selector !== '0x1fff991f') refuse('The router is called in an unexpected way')
  const [[receiver, bought, minimum]] = readArguments(
    [['address', 'address', 'uint'], { list: 'bytes' }, 'uint'],
    execute.body,
  )
  if (receiver === ZERO_ADDRESS || bought === ZERO_ADDRESS) refuse('The router pays no account')
  return { ...verify({ sold, bought, receiver, amount, minimum }, terms), settler }
}

const lifiSwap = ['address', 'address', 'address', 'address', 'uint', 'bytes', 'uint'] as const

/** Functions of the diamond by selector: whether they take a single swap, and which side must be the native currency. */
const lifiFunctions: Readonly<
  Record<string, { readonly single: boolean; readonly native?: 'sold' | 'bought' | 'none' }>
> = {
  '0x4630a0d8': { single: false },
  '0x5fd9ae2e': { single: false, native: 'none' },
  '0x2c57e884': { single: false, native: 'bought' },
  '0x736eac0b': { single: false, native: 'sold' },
  '0x4666fc80': { single: true, native: 'none' },
  '0x733214a3': { single: true, native: 'bought' },
  '0xaf7060fd': { single: true, native: 'sold' },
}

/** The swaps of LiFiDiamond within one chain. */
export const readLifi: CallReader = (selector, body, terms) => {
  const kind = lifiFunctions[selector] ?? refuse('The router is called in an unexpected way')
  const head = ['uint', 'bytes', 'bytes', 'address', 'uint'] as const
  const [, , , receiver, minimum, swaps] = kind.single
    ? withList(readArguments([...head, lifiSwap], body))
    : readArguments([...head, { list: lifiSwap }], body)
  const native = terms.sold === NATIVE ? 'sold' : terms.bought === NATIVE ? 'bought' : 'none'
  if (kind.native && kind.native !== native) refuse('The router trades another token')
  const [first, last] = [swaps[0], swaps.at(-1)]
  if (!first || !last) return refuse('The router swaps nothing')
  // A deposit is taken from the caller.
  const deposits = kind.single ? swaps : swaps.filter(([, , , , , , isDeposit]) => isDeposit !== 0n)
  if (deposits.some(([, , sending]) => spelled(sending) !== terms.sold))
    refuse('The router takes another token')
  const deposited = deposits.reduce((all, [, , , , amount]) => all + amount, 0n)
  const amount = native === 'sold' ? terms.value : deposited
  if (receiver === ZERO_ADDRESS) refuse('The router pays another account')
  return verify({ sold: first[2], bought: last[3], receiver, amount, minimum }, terms)
}

function withList<A, B, C, D, E, F>([a, b, c, d, e, f]: readonly [A, B, C, D, E, F]) {
  return [a, b, c, d, e, [f]] as const
}
