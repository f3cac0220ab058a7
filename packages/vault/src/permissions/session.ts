import {
  type AbiFunction,
  type AbiParameter,
  type Address,
  type Hex,
  numberToHex,
  toFunctionSelector,
  toFunctionSignature,
} from 'viem'
import { FrameError, providerErrorCode } from '../wallet/frameError.ts'
import { isAddress, list } from '../wallet/params.ts'
import { type TokenEffect, tokenFunctions } from './tokenFunctions.ts'

/** A permission or a policy as sites send it; `data` depends on the type. */
export interface Item {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** What may be spent of an asset in each period. Amounts are in wei or base units, times in seconds. */
export interface Allowance {
  readonly amount: bigint
  /** Unix time. */
  readonly start: number
  readonly period: number
}

/** Limits one word of the arguments of a call. */
interface Rule {
  /** Position of the parameter, from 1. */
  readonly position: number
  /** Type of the parameter. */
  readonly type: string
  /** Position of the word in the data of the call, in bytes. */
  readonly offset: number
  /** The co-signer of the service enforces the other two; contracts do not. */
  readonly operator: 'EQUAL' | 'GREATER_THAN' | 'LESS_THAN'
  /** The word. */
  readonly value: Hex
}

/** A function of a contract that may be called. */
export interface FunctionCall {
  readonly contract: Address
  /** Name of a known function and the types of its parameters; undefined for every other function, as a site could name it like another one. */
  readonly signature: string | undefined
  readonly selector: Hex
  /** What a known function does with tokens; undefined for every other function. */
  readonly effect: TokenEffect | undefined
  /** The highest value of a call, in wei. */
  readonly valueLimit: bigint
  readonly rules: readonly Rule[]
}

/** What a session may do. */
export interface Session {
  /** Unix time in seconds. */
  readonly expiry: number
  /** Number of calls. */
  readonly calls: number
  readonly native: Allowance | undefined
  readonly token: (Allowance & { readonly token: Address }) | undefined
  readonly functions: readonly FunctionCall[]
}

/** Limits that a user chose, each at most that of the request. */
export interface Limits {
  readonly expiry: number
  readonly calls: number
  /** Wei; ignored without such an allowance, as the next one. */
  readonly native: bigint
  /** Base units. */
  readonly token: bigint
}

/** Types of the permissions that can be granted. */
export const NATIVE_ALLOWANCE = 'native-token-recurring-allowance'
export const TOKEN_ALLOWANCE = 'erc20-recurring-allowance'
const CONTRACT_CALL = 'contract-call'
const CALL_LIMIT = 'call-limit'

/** The longest that a session may last, in seconds. */
const MAX_LIFETIME = 30 * 24 * 60 * 60
const DEFAULT_CALLS = 1_000
const MAX_CALLS = 1_000_000
const MAX_FUNCTIONS = 32
const MAX_PERIOD = 366 * 24 * 60 * 60
const WORD = 32
/** How far in the past an allowance may start, in seconds: an older one would have two periods to spend in a short time. */
const MAX_PAST_START = 600

const refuse = (message: string) => new FrameError(message, providerErrorCode.invalidParams)

/** Reads a request. @throws FrameError -32602 for what is malformed, and for what cannot be enforced */
export function readSession(
  expiry: unknown,
  permissions: readonly unknown[],
  policies: readonly unknown[],
  now: number,
): Session {
  if (!isSeconds(expiry) || expiry <= now) throw refuse('The session ends in the past')
  if (expiry > now + MAX_LIFETIME) throw refuse('A session lasts at most 30 days')
  let session: Session = { expiry, calls: DEFAULT_CALLS, native: undefined, token: undefined, functions: [] }
  for (const item of permissions) session = add(session, itemOf(item), now)
  if (!session.native && !session.token && session.functions.length === 0)
    throw refuse('The session has no permissions')
  if (session.functions.length > MAX_FUNCTIONS) throw refuse('The session has too many functions')
  for (const item of policies) {
    const { type, data } = itemOf(item)
    const { count } = data
    if (type !== CALL_LIMIT || !isSeconds(count) || count > MAX_CALLS)
      throw refuse('A policy of the session is not supported')
    session = { ...session, calls: count }
  }
  return session
}

/** Returns the session within lower limits. @throws FrameError when one is higher */
export function narrow(session: Session, limits: Limits): Session {
  const lower = <T extends bigint | number>(requested: T, chosen: T): T => {
    if (chosen > requested || chosen <= 0) throw refuse('A limit of the session was raised')
    return chosen
  }
  const { native, token } = session
  return {
    ...session,
    expiry: lower(session.expiry, limits.expiry),
    calls: lower(session.calls, limits.calls),
    native: native && { ...native, amount: lower(native.amount, limits.native) },
    token: token && { ...token, amount: lower(token.amount, limits.token) },
  }
}

/** Returns permissions with the amounts of a session. */
export function permissionsOf(requested: readonly unknown[], { native, token }: Session): Item[] {
  return requested.map((item) => {
    const { type, data } = itemOf(item)
    const allowance = type === NATIVE_ALLOWANCE ? native : type === TOKEN_ALLOWANCE ? token : undefined
    return { type, data: allowance ? { ...data, allowance: numberToHex(allowance.amount) } : data }
  })
}

/** Returns policies with the number of calls of a session, if they name one or it is lower than that of a session without. */
export function policiesOf(requested: readonly unknown[], { calls }: Session): Item[] {
  return requested.length === 0 && calls === DEFAULT_CALLS
    ? []
    : [{ type: CALL_LIMIT, data: { count: calls } }]
}

function add(session: Session, { type, data }: Item, now: number): Session {
  switch (type) {
    case NATIVE_ALLOWANCE:
      if (session.native) throw refuse('A session has one allowance of the native currency')
      return { ...session, native: readAllowance(data, now) }
    case TOKEN_ALLOWANCE: {
      const { token } = data
      if (session.token) throw refuse('A session has one allowance of a token')
      if (!isAddress(token)) throw refuse('The token of an allowance is no address')
      return { ...session, token: { ...readAllowance(data, now), token: token as Address } }
    }
    case CONTRACT_CALL:
      return { ...session, functions: [...session.functions, ...readFunctions(data)] }
    default:
      throw refuse('A permission of the session is not supported')
  }
}

function readAllowance({ allowance, start, period }: Item['data'], now: number): Allowance {
  const amount = readQuantity(allowance)
  if (amount === 0n) throw refuse('An allowance is 0')
  if (!isSeconds(start)) throw refuse('The start of an allowance is not in seconds of Unix time')
  if (start < now - MAX_PAST_START) throw refuse('The start of an allowance is in the past')
  if (!isSeconds(period) || period > MAX_PERIOD) throw refuse('The period of an allowance is out of range')
  return { amount, start, period }
}

function readFunctions({ address, abi, functions }: Item['data']): FunctionCall[] {
  if (!isAddress(address)) throw refuse('The contract of a permission is no address')
  const known = list(abi).filter(isFunction)
  const read = list(functions).map((item) => readFunction(address as Address, known, item))
  if (read.length === 0) throw refuse('A permission to call a contract names no function')
  return read
}

function readFunction(contract: Address, abi: readonly AbiFunction[], item: unknown): FunctionCall {
  const { functionName, args, valueLimit, operation } = (item ?? {}) as Record<string, unknown>
  // 0 is a call; 1 would run code of another contract as the account.
  if (![undefined, null, 'Call', 0].includes(operation as string))
    throw refuse('A session cannot run code of another contract')
  const [only, ...others] = abi.filter(({ name }) => name === functionName)
  if (!only || others.length > 0) throw refuse('A function is not in the ABI, or is there more than once')
  const rules = list(args)
  if (rules.length > only.inputs.length)
    throw refuse('There are rules for more parameters than a function has')
  const signature = toFunctionSignature(only)
  const selector = toFunctionSelector(only)
  const known = tokenFunctions[selector]
  // A function with the same selector as a known one and another name would hide what the call does.
  if (known && known.signature !== signature) throw refuse('A function has a name that is not its own')
  let offset = 4
  return {
    contract,
    signature: known?.signature,
    selector,
    effect: known?.effect,
    valueLimit: valueLimit ? readQuantity(valueLimit) : 0n,
    rules: only.inputs.flatMap((input, at) => {
      const found = readRule(input, rules[at], at, offset)
      offset += headSize(input)
      return found
    }),
  }
}

function readRule(input: AbiParameter, rule: unknown, at: number, offset: number): Rule[] {
  if (rule === null || rule === undefined) return []
  const { operator, value } = rule as Record<string, unknown>
  if (!/^(u?int\d*|address|bool|bytes32)$/.test(input.type))
    throw refuse('A rule is for a parameter of more than one word')
  const isComparison = operator === 'GREATER_THAN' || operator === 'LESS_THAN'
  if (operator !== 'EQUAL' && (!isComparison || !input.type.startsWith('uint')))
    throw refuse('The rule of a parameter is not supported')
  return [
    {
      position: at + 1,
      type: input.type,
      offset,
      operator,
      value: numberToHex(readQuantity(value), { size: WORD }),
    },
  ]
}

/** Returns the size of the part of a parameter that is in the head of the arguments, in bytes. */
function headSize(parameter: AbiParameter): number {
  if (isDynamic(parameter)) return WORD
  const array = /^(.*)\[(\d+)\]$/.exec(parameter.type)
  if (array) return Number(array[2]) * headSize({ ...parameter, type: array[1] ?? '' })
  return componentsOf(parameter).reduce((sum, component) => sum + headSize(component), 0) || WORD
}

function isDynamic(parameter: AbiParameter): boolean {
  const { type } = parameter
  if (type === 'string' || type === 'bytes' || type.endsWith('[]')) return true
  const array = /^(.*)\[\d+\]$/.exec(type)
  if (array) return isDynamic({ ...parameter, type: array[1] ?? '' })
  return componentsOf(parameter).some(isDynamic)
}

const componentsOf = (parameter: AbiParameter): readonly AbiParameter[] =>
  'components' in parameter ? parameter.components : []

/** Reads 0x and the digits of a uint256. */
function readQuantity(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value))
    throw refuse('An amount is not hexadecimal')
  return BigInt(value)
}

const isSeconds = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) > 0 && (value as number) < 2 ** 32

function itemOf(item: unknown): Item {
  const { type, data } = (item ?? {}) as Partial<Item>
  if (typeof type !== 'string' || typeof data !== 'object' || data === null)
    throw refuse('A permission of the session is malformed')
  return { type, data }
}

function isFunction(item: unknown): item is AbiFunction {
  const { type, name, inputs } = (item ?? {}) as Partial<AbiFunction>
  const isNamed = type === 'function' && typeof name === 'string' && /^\w{1,128}$/.test(name)
  return isNamed && Array.isArray(inputs) && inputs.every(isParameter)
}

function isParameter(item: unknown): item is AbiParameter {
  const { type, components } = (item ?? {}) as { type?: unknown; components?: unknown }
  if (typeof type !== 'string' || !/^\w+(\[\d{0,4}\]){0,4}$/.test(type)) return false
  return !type.startsWith('tuple') || (Array.isArray(components) && components.every(isParameter))
}
