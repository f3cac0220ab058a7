import { readArguments, splitCallData } from './abi.ts'
import { type CallReader, type CallTerms, type Effect, NATIVE, requireSoon, traded } from './effect.ts'
import { refuse } from './refusal.ts'

/** The recipients that SwapRouter02 maps to itself and to its caller. */
const ROUTER_02_SELF = '0x0000000000000000000000000000000000000002'
const ROUTER_02_CALLER = '0x0000000000000000000000000000000000000001'
/** The recipient that the first SwapRouter maps to itself. */
const ROUTER_SELF = '0x0000000000000000000000000000000000000000'

const ALL_BPS = 10_000n
/** The largest fee that a router deducts from a payout, in basis points. */
export const MAX_FEE_BPS = 100n

/** Decodes a call of SwapRouter02: a multicall with a deadline. */
export const readSwapRouter02: CallReader = (selector, body, terms) => {
  if (selector !== '0x5ae401dc') refuse('routerCall')
  const [deadline, steps] = readArguments(['uint', { list: 'bytes' }], body)
  requireSoon(deadline, terms)
  return sum(
    steps.map((step) => readStep(step, { ...terms, self: ROUTER_02_SELF, caller: ROUTER_02_CALLER })),
  )
}

/** Decodes a call of the first SwapRouter: a multicall of swaps with deadlines. */
export const readV3Router: CallReader = (selector, body, terms) => {
  if (selector !== '0xac9650d8') refuse('routerCall')
  const [steps] = readArguments([{ list: 'bytes' }], body)
  return sum(steps.map((step) => readStep(step, { ...terms, self: ROUTER_SELF, caller: undefined })))
}

/** Decodes a call of Algebra's SwapRouter: like the first SwapRouter's, with paths without fees and other names. */
export const readAlgebraRouter: CallReader = (selector, body, terms) => {
  if (selector !== '0xac9650d8') refuse('routerCall')
  const [steps] = readArguments([{ list: 'bytes' }], body)
  return sum(steps.map((step) => readAlgebraStep(step, { ...terms, self: ROUTER_SELF, caller: undefined })))
}

/** Decodes a call of a v2 router: one swap. */
export const readV2Router: CallReader = (selector, body, terms) => {
  const isPaidIn = selector === '0xb6f9de95' || selector === '0xc57559dd'
  const isPaidOut = selector === '0x791ac947' || selector === '0x762b1562'
  if (!isPaidIn && !isPaidOut && selector !== '0x5c11d795') refuse('routerCall')
  // verifyCalls compares the value with the amount.
  const [amount, minimum, path, to, deadline] = isPaidIn
    ? ([terms.value, ...readArguments(['uint', { list: 'address' }, 'address', 'uint'], body)] as const)
    : readArguments(['uint', 'uint', { list: 'address' }, 'address', 'uint'], body)
  requireSoon(deadline, terms)
  if (isPaidIn !== (terms.sold === NATIVE) || isPaidOut !== (terms.bought === NATIVE)) {
    refuse('routerTradesToken')
  }
  if (path[0] !== traded(terms.sold, terms) || path.at(-1) !== traded(terms.bought, terms)) {
    refuse('routerTradesToken')
  }
  if (to !== terms.user) refuse('routerPaysOther')
  return { taken: amount, paid: minimum }
}

/** Decodes a call of the wrapper, which pays one for one. */
export const readWrapper: CallReader = (selector, body, { sold, bought, wrapped, value }) => {
  if (selector === '0xd0e30db0' && body === '' && sold === NATIVE && bought === wrapped) {
    return { taken: value, paid: value }
  }
  if (selector === '0x2e1a7d4d' && sold === wrapped && bought === NATIVE) {
    const [amount] = readArguments(['uint'], body)
    return { taken: amount, paid: amount }
  }
  return refuse('wrappedCall')
}

interface StepTerms extends CallTerms {
  /** The recipient that the router maps to itself. */
  readonly self: string
  /** The recipient that it maps to its caller; undefined if there is none. */
  readonly caller: string | undefined
}

function sum(effects: readonly Effect[]): Effect {
  return effects.reduce((a, b) => ({ taken: a.taken + b.taken, paid: a.paid + b.paid }), NOTHING)
}

const NOTHING: Effect = { taken: 0n, paid: 0n }

/** Selectors of Algebra, and those of the first SwapRouter's functions that do the same. */
const algebraSteps: Readonly<Record<string, string>> = {
  '0x69bc35b2': '0x49404b7c',
  '0xc60696ec': '0x9b2c0a37',
  '0x41865270': '0x12210e8a',
}

function readAlgebraStep(step: string, terms: StepTerms): Effect {
  const { selector, body } = splitCallData(`0x${step}`)
  if (selector === '0xc04b8d59') return readExactInput(body, tokenEndsOf, terms)
  const known = algebraSteps[selector]
  if (!known && Object.values(algebraSteps).includes(selector)) refuse('routerCall')
  return readStep(`${known ?? selector}${body}`.slice(2), terms)
}

/** `exactInput` of the first SwapRouter. */
function readExactInput(body: string, ends: typeof endsOf, terms: StepTerms): Effect {
  const fields = [['bytes', 'address', 'uint', 'uint', 'uint']] as const
  const [[path, to, deadline, amount, minimum]] = readArguments(fields, body)
  requireSoon(deadline, terms)
  return trade(ends(path), to, amount, minimum, terms)
}

/** Decodes one step of a multicall. */
function readStep(step: string, terms: StepTerms): Effect {
  const { selector, body } = splitCallData(`0x${step}`)
  const isRouter02 = terms.caller !== undefined
  switch (selector) {
    case '0x04e45aaf': {
      if (!isRouter02) break
      const fields = ['address', 'address', 'uint', 'address', 'uint', 'uint', 'uint'] as const
      const [tokenIn, tokenOut, , to, amount, minimum, limit] = readArguments(fields, body)
      if (limit !== 0n) refuse('routerSellsPart')
      return trade([tokenIn, tokenOut], to, amount, minimum, terms)
    }
    case '0xb858183f': {
      if (!isRouter02) break
      const [[path, to, amount, minimum]] = readArguments([['bytes', 'address', 'uint', 'uint']], body)
      return trade(endsOf(path), to, amount, minimum, terms)
    }
    case '0xc04b8d59': {
      if (isRouter02) break
      return readExactInput(body, endsOf, terms)
    }
    case '0x472b43f3': {
      if (!isRouter02) break
      const [amount, minimum, path, to] = readArguments(
        ['uint', 'uint', { list: 'address' }, 'address'],
        body,
      )
      return trade([path[0], path.at(-1)], to, amount, minimum, terms)
    }
    case '0x49404b7c': {
      const [minimum, to] = readArguments(['uint', 'address'], body)
      return payOut(NATIVE, to, minimum, 0n, terms)
    }
    case '0x9b2c0a37': {
      const [minimum, to, fee] = readArguments(['uint', 'address', 'uint', 'address'], body)
      return payOut(NATIVE, to, minimum, fee, terms)
    }
    case '0xdf2ab5bb': {
      const [token, minimum, to] = readArguments(['address', 'uint', 'address'], body)
      return payOut(token, to, minimum, 0n, terms)
    }
    case '0xe0e189a0': {
      const [token, minimum, to, fee] = readArguments(['address', 'uint', 'address', 'uint', 'address'], body)
      return payOut(token, to, minimum, fee, terms)
    }
    // refundETH returns the rest of the value to the caller.
    case '0x12210e8a':
      return NOTHING
    case '0xc2e3140a': {
      const [token, amount] = readArguments(['address', 'uint', 'uint', 'uint', 'uint', 'uint'], body)
      if (token !== terms.sold || amount !== terms.amount) refuse('permitTerms')
      return NOTHING
    }
  }
  return refuse('routerCall')
}

/**
 * Returns the first and the last token of a v3 path: tokens of 20 bytes with fees of 3 bytes between them.
 */
export function endsOf(path: string): readonly [string, string] {
  if (path.length < 86 || (path.length - 40) % 46 !== 0) refuse('pathMalformed')
  return [`0x${path.slice(0, 40)}`, `0x${path.slice(-40)}`]
}

/** Returns the first and the last token of a path that has only tokens. */
function tokenEndsOf(path: string): readonly [string, string] {
  if (path.length < 80 || path.length % 40 !== 0) refuse('pathMalformed')
  return [`0x${path.slice(0, 40)}`, `0x${path.slice(-40)}`]
}

/** Returns the effect of one swap. SwapRouter02 reads an amount of zero as its whole balance. */
function trade(
  [tokenIn, tokenOut]: readonly (string | undefined)[],
  to: string,
  amount: bigint,
  minimum: bigint,
  terms: StepTerms,
): Effect {
  if (amount > 0n && tokenIn !== traded(terms.sold, terms)) refuse('routerTakesToken')
  if (to === terms.self) return { taken: amount, paid: 0n }
  if (to !== terms.user && to !== terms.caller) refuse('routerPaysOther')
  if (tokenOut !== terms.bought) refuse('routerPaysToken')
  return { taken: amount, paid: minimum }
}

/** Returns the effect of paying out the router's balance of a token. */
function payOut(token: string, to: string, minimum: bigint, feeBps: bigint, terms: StepTerms): Effect {
  if (to !== terms.user) refuse('routerPaysOther')
  if (token !== terms.bought) refuse('routerPaysToken')
  if (feeBps > MAX_FEE_BPS) refuse('routerKeepsMuch')
  return { taken: 0n, paid: minimum - (minimum * feeBps) / ALL_BPS }
}
