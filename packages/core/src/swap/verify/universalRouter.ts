import { readArguments } from './abi.ts'
import {
  type CallReader,
  type CallTerms,
  type Effect,
  NATIVE,
  requireSoon,
  traded,
  ZERO_ADDRESS,
} from './effect.ts'
import { refuse } from './refusal.ts'
import { endsOf, MAX_FEE_BPS } from './uniswap.ts'

/** `execute(bytes,bytes[],uint256)` */
const EXECUTE_SELECTOR = '0x3593564c'

/** The recipients that the router maps to its caller and to itself. */
const CALLER = '0x0000000000000000000000000000000000000001'
const SELF = '0x0000000000000000000000000000000000000002'

/** The amount that the router reads as its whole balance of a token. */
const WHOLE_BALANCE = 1n << 255n

/** The router truncates the minimum of SWEEP to 160 bits. */
const MINIMUM_LIMIT = 1n << 160n

const NOTHING: Effect = { taken: 0n, paid: 0n }

/** Decoders by command. The flag that lets a command fail without reverting changes its byte, so that such commands are refused. */
const commands: Readonly<Record<string, (input: string, terms: CallTerms) => Effect>> = {
  // WRAP_ETH: recipient, amount. It must wrap the whole value: anyone could take what is left in the router.
  '0b': (input, { sold, value }) => {
    const [to, amount] = readArguments(['address', 'uint'], input)
    if (sold !== NATIVE || to !== SELF || amount !== value) refuse('wrapAmount')
    return NOTHING
  },
  // PERMIT2_PERMIT: what the user has signed for the router, and the signature.
  '0a': (input, terms) => {
    const details = ['address', 'uint', 'uint', 'uint'] as const
    const [[[token, amount], spender, deadline]] = readArguments(
      [[details, 'address', 'uint'], 'bytes'],
      input,
    )
    if (token !== terms.sold || amount !== terms.amount || spender !== terms.target) {
      refuse('permitTerms')
    }
    requireSoon(deadline, terms)
    return NOTHING
  },
  // V3_SWAP_EXACT_IN: recipient, amount, minimum, path, and whether the caller pays through Permit2.
  '00': (input, terms) => {
    const [to, amount, minimum, path, payer] = readArguments(
      ['address', 'uint', 'uint', 'bytes', 'uint'],
      input,
    )
    return trade(endsOf(path), to, amount, minimum, payer, terms)
  },
  // V2_SWAP_EXACT_IN: the same, along a path of tokens.
  '08': (input, terms) => {
    const types = ['address', 'uint', 'uint', { list: 'address' }, 'uint'] as const
    const [to, amount, minimum, path, payer] = readArguments(types, input)
    return trade([path[0], path.at(-1)], to, amount, minimum, payer, terms)
  },
  // PAY_PORTION: token, recipient, basis points of the router's balance. The minimum of the user is checked after it.
  '06': (input, { bought }) => {
    const [token, , fee] = readArguments(['address', 'address', 'uint'], input)
    if (token !== paidOut(bought)) refuse('routerPaysToken')
    if (fee > MAX_FEE_BPS) refuse('routerKeepsMuch')
    return NOTHING
  },
  // SWEEP: token, recipient, minimum.
  '04': (input, { bought, user }) => {
    const [token, to, minimum] = readArguments(['address', 'address', 'uint'], input)
    if (to !== user && to !== CALLER) refuse('routerPaysOther')
    if (token !== paidOut(bought)) refuse('routerPaysToken')
    if (minimum >= MINIMUM_LIMIT) refuse('minimumTruncated')
    return { taken: 0n, paid: minimum }
  },
  // UNWRAP_WETH: recipient, minimum. It pays the bought native currency, or returns what pools left of the value.
  '0c': (input, { bought, user }) => {
    const [to, minimum] = readArguments(['address', 'uint'], input)
    if (bought === NATIVE && to === SELF) return NOTHING // SWEEP pays it out
    if (to !== user && to !== CALLER) refuse('routerPaysOther')
    return { taken: 0n, paid: bought === NATIVE ? minimum : 0n }
  },
}

/**
 * Returns the bought token as the router names it when it pays out: the zero address for the native currency.
 */
function paidOut(bought: string): string {
  return bought === NATIVE ? ZERO_ADDRESS : bought
}

/** Decodes a call of the UniversalRouter: a list of commands. It takes a sold token from the user through Permit2. */
export const readUniversalRouter: CallReader = (selector, body, terms) => {
  if (selector !== EXECUTE_SELECTOR) refuse('routerCall')
  const [codes, inputs, deadline] = readArguments(['bytes', { list: 'bytes' }, 'uint'], body)
  requireSoon(deadline, terms)
  if (codes.length !== inputs.length * 2) refuse('routerCall')
  return inputs.reduce((sum, input, at) => {
    const read = commands[codes.slice(at * 2, at * 2 + 2)]
    const effect = read ? read(input, terms) : refuse('routerCall')
    return { taken: sum.taken + effect.taken, paid: sum.paid + effect.paid }
  }, NOTHING)
}

function trade(
  [tokenIn, tokenOut]: readonly (string | undefined)[],
  to: string,
  amount: bigint,
  minimum: bigint,
  payer: bigint,
  terms: CallTerms,
): Effect {
  const isWhole = amount === WHOLE_BALANCE
  // Only a sold token is taken from the user, in amounts that the swap names.
  if (payer !== (terms.sold === NATIVE || isWhole ? 0n : 1n)) refuse('routerTakesFrom')
  if (!isWhole && tokenIn !== traded(terms.sold, terms)) refuse('routerTakesToken')
  const taken = isWhole ? 0n : amount
  if (to === SELF) return { taken, paid: 0n }
  if (to !== terms.user && to !== CALLER) refuse('routerPaysOther')
  if (tokenOut !== terms.bought) refuse('routerPaysToken')
  return { taken, paid: minimum }
}
