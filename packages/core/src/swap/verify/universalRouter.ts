import { readArguments } from './abi.ts'
import { type CallReader, type CallTerms, type Effect, NATIVE, requireSoon, traded } from './effect.ts'
import { refuse } from './refusal.ts'
import { endsOf, MAX_FEE_BPS } from './uniswap.ts'

/** `execute(bytes,bytes[],uint256)` */
const EXECUTE_SELECTOR = '0x3593564c'

/** How the router spells its caller, and itself, as recipients. */
const CALLER = '0x0000000000000000000000000000000000000001'
const SELF = '0x0000000000000000000000000000000000000002'

/** The amount for which the router takes all that it holds of a token. */
const WHOLE_BALANCE = 1n << 255n

/** The router cuts the minimum of a payout to so many bits. */
const MINIMUM_LIMIT = 1n << 160n

const NOTHING: Effect = { taken: 0n, paid: 0n }

/** What one command does, by its byte. A command that may fail unnoticed has another byte, so that it is refused. */
const commands: Readonly<Record<string, (input: string, terms: CallTerms) => Effect>> = {
  // WRAP_ETH: all that the call sends, so that nothing of it stays for others.
  '0b': (input, { value }) => {
    const [to, amount] = readArguments(['address', 'uint'], input)
    if (to !== SELF || amount !== value) refuse('The router wraps another amount')
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
  // PAY_PORTION: of what the router holds. What the user is paid is checked behind it.
  '06': (input, { bought }) => {
    const [token, , fee] = readArguments(['address', 'address', 'uint'], input)
    if (token !== bought) refuse('The router pays another token')
    if (fee > MAX_FEE_BPS) refuse('The router keeps more than one percent')
    return NOTHING
  },
  // SWEEP
  '04': (input, { bought, user }) => {
    const [token, to, minimum] = readArguments(['address', 'address', 'uint'], input)
    if (to !== user && to !== CALLER) refuse('The router pays somebody else')
    if (token !== bought) refuse('The router pays another token')
    if (minimum >= MINIMUM_LIMIT) refuse('The router would cut the minimum')
    return { taken: 0n, paid: minimum }
  },
  // UNWRAP_WETH: what pools left of the value goes back.
  '0c': (input, { user }) => {
    const [to] = readArguments(['address', 'uint'], input)
    if (to !== user && to !== CALLER) refuse('The router pays somebody else')
    return NOTHING
  },
}

/** Reads a call of the UniversalRouter: a list of commands that sells the native currency. It takes tokens in another way, through Permit2. */
export const readUniversalRouter: CallReader = (selector, body, terms) => {
  if (selector !== EXECUTE_SELECTOR) refuse('The router is called in another way')
  if (terms.sold !== NATIVE) refuse('The router takes another token')
  const [codes, inputs, deadline] = readArguments(['bytes', { list: 'bytes' }, 'uint'], body)
  requireSoon(deadline, terms)
  if (codes.length !== inputs.length * 2) refuse('The router is called in another way')
  return inputs.reduce((sum, input, at) => {
    const read = commands[codes.slice(at * 2, at * 2 + 2)]
    const effect = read ? read(input, terms) : refuse('The router is called in another way')
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
  if (payer !== 0n) refuse('The router takes from somebody')
  const isWhole = amount === WHOLE_BALANCE
  if (!isWhole && tokenIn !== traded(terms.sold, terms)) refuse('The router takes another token')
  const taken = isWhole ? 0n : amount
  if (to === SELF) return { taken, paid: 0n }
  if (to !== terms.user && to !== CALLER) refuse('The router pays somebody else')
  if (tokenOut !== terms.bought) refuse('The router pays another token')
  return { taken, paid: minimum }
}
