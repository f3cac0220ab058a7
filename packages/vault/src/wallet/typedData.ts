import { getAddress, type TypedDataDefinition } from 'viem'
import { FrameError, providerErrorCode } from './frameError.ts'
import { isAddress } from './params.ts'

/** The members of structs by the name of the struct. */
type Types = Readonly<Record<string, readonly Member[]>>
type Fields = Readonly<Record<string, unknown>>

interface Member {
  readonly name: string
  readonly type: string
}

const DOMAIN = 'EIP712Domain'
/** Members of a domain without a declaration, in their order (EIP-712). */
const domainMembers: readonly Member[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]
const NAME = /^(?!__proto__$)[A-Za-z_]\w{0,127}$/
/** Names that begin like a type which is not a struct. */
const RESERVED = /^(address$|bool$|string$|bytes|uint|int)/
/** `uint`, `int` and `uint08` are no types of EIP-712: readers could hash them as another one. */
const ATOMIC = /^(address|bool|string|bytes|bytes([1-9]|[12]\d|3[0-2])|u?int[1-9]\d{0,2})$/
const INTEGER = /^(u?)int(\d+)$/
const ARRAY = /^(.+)\[(|0|[1-9]\d{0,3})\]$/
const LONE_SURROGATE = /\p{Surrogate}/u
const MAX_TYPES = 100
const MAX_DEPTH = 32

const refuse = (reason: string) =>
  new FrameError(`The data is malformed: ${reason}`, providerErrorCode.invalidParams)

/**
 * Reads typed data (EIP-712), as JSON or as an object, into the only form that is shown, previewed and signed: the used types, the domain
 * and the message with their declared members in declared order, integers as decimal text, addresses with their checksum. Members that no type
 * declares are left out, as no signature covers them.
 *
 * @throws FrameError -32602 for a value that its type does not allow, and for types that readers could understand differently
 */
export function readTypedData(value: unknown): TypedDataDefinition {
  const { types: declared, primaryType, domain = {}, message } = fieldsOf(parse(value))
  const types = readTypes(fieldsOf(declared), fieldsOf(domain))
  if (typeof primaryType !== 'string' || primaryType === DOMAIN || !Object.hasOwn(types, primaryType))
    throw refuse('it has no primary type')
  const used = new Set<string>()
  for (const name of [DOMAIN, primaryType]) addUsed(types, name, used)
  return {
    types: Object.fromEntries(Object.entries(types).filter(([name]) => used.has(name))),
    primaryType,
    domain: readValue(types, DOMAIN, domain, 0),
    message: readValue(types, primaryType, message, 0),
  } as TypedDataDefinition
}

function parse(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    throw refuse('it is not JSON')
  }
}

function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refuse('an object is missing')
  // Only own members count: a name such as `constructor` would otherwise find one of the prototype.
  return Object.assign(Object.create(null), value)
}

function readTypes(declared: Fields, domain: Fields): Types {
  const names = Object.keys(declared)
  if (names.length > MAX_TYPES) throw refuse('it has too many types')
  const entries = names.map((name) => [name, readMembers(name, declared[name])] as const)
  if (!(DOMAIN in declared)) entries.push([DOMAIN, domainMembers.filter(({ name }) => name in domain)])
  const types = Object.fromEntries(entries)
  for (const { type } of entries.flatMap(([, members]) => members)) {
    const item = itemType(type)
    if (!isAtomic(item) && !Object.hasOwn(types, item)) throw refuse('a member has an unknown type')
  }
  return types
}

function readMembers(of: string, value: unknown): readonly Member[] {
  if (!NAME.test(of) || RESERVED.test(of)) throw refuse('a type has a name that is not allowed')
  if (!Array.isArray(value)) throw refuse('a type has no members')
  const members = value.map((item) => {
    const { name, type } = fieldsOf(item)
    if (typeof name !== 'string' || !NAME.test(name) || typeof type !== 'string')
      throw refuse('a member has a name that is not allowed')
    return { name, type }
  })
  if (new Set(members.map(({ name }) => name)).size < members.length)
    throw refuse('a type has two members of one name')
  return members
}

function isAtomic(type: string): boolean {
  const bits = Number(INTEGER.exec(type)?.[2] ?? 256)
  return ATOMIC.test(type) && bits > 0 && bits <= 256 && bits % 8 === 0
}

/** Returns the type of the items of an array, at any depth; other types are returned as they are. */
function itemType(type: string): string {
  const item = ARRAY.exec(type)?.[1]
  return item === undefined ? type : itemType(item)
}

/** Adds a struct and the structs of its members. */
function addUsed(types: Types, name: string, used: Set<string>): void {
  if (used.has(name) || !Object.hasOwn(types, name)) return
  used.add(name)
  for (const { type } of types[name] ?? []) addUsed(types, itemType(type), used)
}

function readValue(types: Types, type: string, value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw refuse('it is nested too deep')
  const [, item, length] = ARRAY.exec(type) ?? []
  if (item !== undefined) {
    if (!Array.isArray(value) || (length && value.length !== Number(length)))
      throw refuse(`a value is no ${type}`)
    return value.map((each) => readValue(types, item, each, depth + 1))
  }
  if (!Object.hasOwn(types, type)) return atomOf(type, value)
  const fields = fieldsOf(value)
  return Object.fromEntries(
    (types[type] ?? []).map((member) => [
      member.name,
      readValue(types, member.type, fields[member.name], depth + 1),
    ]),
  )
}

function atomOf(type: string, value: unknown): unknown {
  const integer = INTEGER.exec(type)
  if (integer) return integerOf(type, integer[1] === 'u', Number(integer[2]), value)
  if (type === 'bool' && typeof value === 'boolean') return value
  if (typeof value === 'string') {
    if (type === 'string' && !LONE_SURROGATE.test(value)) return value
    // Sites send addresses whose letters are no checksum; the bytes that are signed are the same.
    if (type === 'address' && isAddress(value)) return getAddress(value.toLowerCase())
    const size = /^bytes(\d*)$/.exec(type)?.[1]
    const isHex = /^0x([0-9a-fA-F]{2})*$/.test(value)
    if (size !== undefined && isHex && (size === '' || value.length === 2 + 2 * Number(size)))
      return value.toLowerCase()
  }
  throw refuse(`a value is no ${type}`)
}

/** Returns an integer in decimal. A number that JavaScript cannot hold exactly is refused: a reader would take another one. */
function integerOf(type: string, isUnsigned: boolean, bits: number, value: unknown): string {
  const isExact =
    typeof value === 'string'
      ? /^(-?(0|[1-9]\d{0,77})|0x[0-9a-fA-F]{1,64})$/.test(value)
      : Number.isSafeInteger(value)
  const integer = isExact ? BigInt(value as string | number) : undefined
  const [least, end] = isUnsigned
    ? [0n, 1n << BigInt(bits)]
    : [-(1n << BigInt(bits - 1)), 1n << BigInt(bits - 1)]
  if (integer === undefined || integer < least || integer >= end) throw refuse(`a value is no ${type}`)
  return integer.toString()
}
