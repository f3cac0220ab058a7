import { readArguments, splitCallData } from './abi.ts'
import { type CallReader, type CallTerms, type Effect, NATIVE, requireSoon, traded } from './effect.ts'
import { refuse } from './refusal.ts'

/** How SwapRouter02 spells itself, and whoever calls it, as recipients. */
const ROUTER_02_SELF = '0x0000000000000000000000000000000000000002'
const ROUTER_02_CALLER = '0x0000000000000000000000000000000000000001'
/** How the first SwapRouter spells itself. */
const ROUTER_SELF = '0x0000000000000000000000000000000000000000'

const ALL_BPS = 10_000n
/** The most that a router lets anyone take of what it pays out, in hundredths of a percent. */
export const MAX_FEE_BPS = 100n

/** Reads a call of SwapRouter02: a multicall with a deadline. */
export const readSwapRouter02: CallReader = (selector, body, terms) => {
  if (selector !== '0x5ae401dc') refuse('The router is called in another way')
  const [deadline, steps] = readArguments(['uint', { list: 'bytes' }], body)
  requireSoon(deadline, terms)
  return sum(
    steps.map((step) => readStep(step, { ...terms, self: ROUTER_02_SELF, caller: ROUTER_02_CALLER })),
  )
}

/** Reads a call of the first SwapRouter: a multicall whose swaps have deadlines of their own. */
export const readV3Router: CallReader = (selector, body, terms) => {
  if (selector !== '0xac9650d8') refuse('The router is called in another way')
  const [steps] = readArguments([{ list: 'bytes' }], body)
  return sum(steps.map((step) => readStep(step, { ...terms, self: ROUTER_SELF, caller: undefined })))
}

/** Reads a call of Algebra's SwapRouter: as the first SwapRouter's, with paths of tokens alone and names of its own. */
export const readAlgebraRouter: CallReader = (selector, body, terms) => {
  if (selector !== '0xac9650d8') refuse('The router is called in another way')
  const [steps] = readArguments([{ list: 'bytes' }], body)
  return sum(steps.map((step) => readAlgebraStep(step, { ...terms, self: ROUTER_SELF, caller: undefined })))
}

/** Reads a call of a v2 router: one swap. */
export const readV2Router: CallReader = (selector, body, terms) => {
  const isPaidIn = selector === '0xb6f9de95' || selector === '0xc57559dd'
  const isPaidOut = selector === '0x791ac947' || selector === '0x762b1562'
  if (!isPaidIn && !isPaidOut && selector !== '0x5c11d795') refuse('The router is called in another way')
  // The value that goes along is checked against what is taken.
  const [amount, minimum, path, to, deadline] = isPaidIn
    ? ([terms.value, ...readArguments(['uint', { list: 'address' }, 'address', 'uint'], body)] as const)
    : readArguments(['uint', 'uint', { list: 'address' }, 'address', 'uint'], body)
  requireSoon(deadline, terms)
  if (isPaidIn !== (terms.sold === NATIVE) || isPaidOut !== (terms.bought === NATIVE)) {
    refuse('The router trades another token')
  }
  if (path[0] !== traded(terms.sold, terms) || path.at(-1) !== traded(terms.bought, terms)) {
    refuse('The router trades another token')
  }
  if (to !== terms.user) refuse('The router pays somebody else')
  return { taken: amount, paid: minimum }
}

/** Reads a call of the wrapper, which pays as much as it takes. */
export const readWrapper: CallReader = (selector, body, { sold, bought, wrapped, value }) => {
  if (selector === '0xd0e30db0' && body === '' && sold === NATIVE && bought === wrapped) {
    return { taken: value, paid: value }
  }
  if (selector === '0x2e1a7d4d' && sold === wrapped && bought === NATIVE) {
    const [amount] = readArguments(['uint'], body)
    return { taken: amount, paid: amount }
  }
  return refuse('The wrapper is called in another way')
}

interface StepTerms extends CallTerms {
  /** How the router spells itself as a recipient. */
  readonly self: string
  /** How it spells whoever calls it; undefined when it does not. */
  readonly caller: string | undefined
}

function sum(effects: readonly Effect[]): Effect {
  return effects.reduce((a, b) => ({ taken: a.taken + b.taken, paid: a.paid + b.paid }), NOTHING)
}

const NOTHING: Effect = { taken: 0n, paid: 0n }

/** Algebra's names for steps that the first SwapRouter has under others. */
const algebraSteps: Readonly<Record<string, string>> = {
  '0x69bc35b2': '0x49404b7c',
  '0xc60696ec': '0x9b2c0a37',
  '0x41865270': '0x12210e8a',
}

function readAlgebraStep(step: string, terms: StepTerms): Effect {
  const { selector, body } = splitCallData(`0x${step}`)
  if (selector === '0xc04b8d59') return readExactInput(body, tokenEndsOf, terms)
  const known = algebraSteps[selector]
  if (!known && Object.values(algebraSteps).includes(selector)) refuse('The router is called in another way')
  return readStep(`${known ?? selector}${body}`.slice(2), terms)
}

/** `exactInput` of the first SwapRouter. */
function readExactInput(body: string, ends: typeof endsOf, terms: StepTerms): Effect {
  const fields = [['bytes', 'address', 'uint', 'uint', 'uint']] as const
  const [[path, to, deadline, amount, minimum]] = readArguments(fields, body)
  requireSoon(deadline, terms)
  return trade(ends(path), to, amount, minimum, terms)
}

/** Reads one step of a multicall. */
function readStep(step: string, terms: StepTerms): Effect {
  const { selector, body } = splitCallData(`0x${step}`)
  const isRouter02 = terms.caller !== undefined
  switch (selector) {
    case '0x04e45aaf': {
      if (!isRouter02) break
      const fields = ['address', 'address', 'uint', 'address', 'uint', 'uint', 'uint'] as const
      const [tokenIn, tokenOut, , to, amount, minimum, limit] = readArguments(fields, body)
      if (limit !== 0n) refuse('The router may sell a part only')
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
    // What is left of the value goes back to whoever sent it.
    case '0x12210e8a':
      return NOTHING
    case '0xc2e3140a': {
      const [token, amount] = readArguments(['address', 'uint', 'uint', 'uint', 'uint', 'uint'], body)
      if (token !== terms.sold || amount !== terms.amount) refuse('The permit is for something else')
      return NOTHING
    }
  }
  return refuse('The router is called in another way')
}

/** The first and the last token of a v3 path: tokens of 20 bytes with fees of 3 bytes between them. */
export function endsOf(path: string): readonly [string, string] {
  if (path.length < 86 || (path.length - 40) % 46 !== 0) refuse('The path is none')
  return [`0x${path.slice(0, 40)}`, `0x${path.slice(-40)}`]
}

/** The first and the last token of a path of tokens alone. */
function tokenEndsOf(path: string): readonly [string, string] {
  if (path.length < 80 || path.length % 40 !== 0) refuse('The path is none')
  return [`0x${path.slice(0, 40)}`, `0x${path.slice(-40)}`]
}

/** A swap of a router. SwapRouter02 takes an amount of zero as all that it holds already. */
function trade(
  [tokenIn, tokenOut]: readonly (string | undefined)[],
  to: string,
  amount: bigint,
  minimum: bigint,
  terms: StepTerms,
): Effect {
  if (amount > 0n && tokenIn !== traded(terms.sold, terms)) refuse('The router takes another token')
  if (to === terms.self) return { taken: amount, paid: 0n }
  if (to !== terms.user && to !== terms.caller) refuse('The router pays somebody else')
  if (tokenOut !== terms.bought) refuse('The router pays another token')
  return { taken: amount, paid: minimum }
}

/** All that a router holds of a token, to a recipient; of the wrapped currency, unwrapped. */
function payOut(token: string, to: string, minimum: bigint, feeBps: bigint, terms: StepTerms): Effect {
  if (to !== terms.user) refuse('The router pays somebody else')
  if (token !== terms.bought) refuse('The router pays another token')
  if (feeBps > MAX_FEE_BPS) refuse('The router keeps more than one percent')
  return { taken: 0n, paid: minimum - (minimum * feeBps) / ALL_BPS }
}
