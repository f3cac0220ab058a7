import { readArguments, splitCallData } from './abi.ts'
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
  if (spelled(sold) !== terms.sold || spelled(bought) !== terms.bought) refuse('routerTradesToken')
  // Zero is the caller.
  if (receiver !== terms.user && receiver !== ZERO_ADDRESS) refuse('routerPaysOther')
  return { taken: amount, paid: minimum }
}

/** A flag of 1inch: the router may sell only a part. */
const PARTIAL_FILL = 0x01n

/** `swap(address,SwapDescription,bytes)` of AggregationRouterV6. Its shorter functions do not name the bought token. */
export const readOneInch: CallReader = (selector, body, terms) => {
  if (selector !== '0x07ed2379') refuse('routerCall')
  const description = ['address', 'address', 'address', 'address', 'uint', 'uint', 'uint'] as const
  const [, [sold, bought, , receiver, amount, minimum, flags]] = readArguments(
    ['address', description, 'bytes'],
    body,
  )
  if (flags & PARTIAL_FILL) refuse('routerSellsPart')
  return verify({ sold, bought, receiver, amount, minimum }, terms)
}

/**
 * `exec(…)` of AllowanceHolder, which lets a Settler take the amount and calls its
 * `execute(AllowedSlippage,bytes[],bytes32)`. A Settler pays the recipient at least the minimum or reverts,
 * whatever its actions are. For a Settler, the zero address stands for neither the caller nor the native
 * currency.
 */
export const readZeroX: CallReader = (selector, body, terms) => {
  if (selector !== '0x2213bc0b') refuse('routerCall')
  const [settler, sold, amount, target, inner] = readArguments(
    ['address', 'address', 'uint', 'address', 'bytes'],
    body,
  )
  if (settler !== target || settler === ZERO_ADDRESS) refuse('otherRecipientContract')
  const execute = splitCallData(`0x${inner}`)
  if (execute.selector !== '0x1fff991f') refuse('routerCall')
  const [[receiver, bought, minimum]] = readArguments(
    [['address', 'address', 'uint'], { list: 'bytes' }, 'uint'],
    execute.body,
  )
  if (receiver === ZERO_ADDRESS || bought === ZERO_ADDRESS) refuse('routerPaysNone')
  return { ...verify({ sold, bought, receiver, amount, minimum }, terms), settler }
}
