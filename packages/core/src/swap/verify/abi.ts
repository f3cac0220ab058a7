import { refuse } from './refusal.ts'

/** A type of the contract ABI. Integers of every size and booleans are `uint`; a string is `bytes`; an array is a struct. */
export type AbiType = 'address' | 'uint' | 'bytes' | AbiList | readonly AbiType[]

interface AbiList {
  readonly list: AbiType
}

/** A decoded value: an address as 0x and 40 lower-case digits, bytes as hex without 0x. */
export type AbiValue<T> = T extends 'uint'
  ? bigint
  : T extends 'address' | 'bytes'
    ? string
    : T extends { readonly list: infer Item }
      ? readonly AbiValue<Item>[]
      : T extends readonly AbiType[]
        ? { readonly [Key in keyof T]: AbiValue<T[Key]> }
        : never

const WORD = 64
const ADDRESS_LIMIT = 1n << 160n
const SELECTOR_DIGITS = 8

/** Splits call data into the selector, as 0x and 8 digits, and the rest, as hex without 0x. @throws VerificationError unless the digits are lower case. */
export function splitCallData(data: string): { readonly selector: string; readonly body: string } {
  if (!/^0x([0-9a-f]{2}){4,}$/.test(data)) refuse('dataNotHex')
  return { selector: data.slice(0, 2 + SELECTOR_DIGITS), body: data.slice(2 + SELECTOR_DIGITS) }
}

/**
 * Decodes the arguments of a call (Solidity contract ABI).
 *
 * @param body hex without 0x, after the selector.
 * @throws VerificationError
 */
export function readArguments<const T extends readonly AbiType[]>(types: T, body: string): AbiValue<T> {
  const values: unknown = readStruct(types, body)
  return values as AbiValue<T>
}

/** Decodes the members of a struct; offsets of dynamic members are relative to the beginning of the area. */
function readStruct(types: readonly AbiType[], area: string): unknown[] {
  let head = 0
  return types.map((type) => {
    const at = isDynamic(type) ? offsetAt(area, head) : head
    head += headSize(type)
    return readValue(type, area.slice(at))
  })
}

function readValue(type: AbiType, area: string): unknown {
  if (type === 'uint') return wordAt(area, 0)
  if (type === 'address') {
    const value = wordAt(area, 0)
    if (value >= ADDRESS_LIMIT) refuse('addressTooLong')
    return `0x${area.slice(24, WORD)}`
  }
  if (isStruct(type)) return readStruct(type, area)
  const content = area.slice(WORD)
  const length = lengthAt(area)
  if (type === 'bytes') {
    if (content.length < length * 2) refuse('dataTruncated')
    return content.slice(0, length * 2)
  }
  if (content.length < length * headSize(type.list)) refuse('dataTruncated')
  return readStruct(new Array(length).fill(type.list), content)
}

function isStruct(type: AbiType): type is readonly AbiType[] {
  return Array.isArray(type)
}

function isDynamic(type: AbiType): boolean {
  if (isStruct(type)) return type.some(isDynamic)
  return type === 'bytes' || typeof type === 'object'
}

/** In hex digits. */
function headSize(type: AbiType): number {
  if (isDynamic(type) || !isStruct(type)) return WORD
  return type.reduce((sum, member) => sum + headSize(member), 0)
}

function wordAt(area: string, at: number): bigint {
  const word = area.slice(at, at + WORD)
  if (word.length < WORD) refuse('dataTruncated')
  return BigInt(`0x${word}`)
}

function offsetAt(area: string, at: number): number {
  const offset = wordAt(area, at) * 2n
  if (offset >= BigInt(area.length)) refuse('dataPastEnd')
  return Number(offset)
}

function lengthAt(area: string): number {
  const length = wordAt(area, 0)
  if (length > BigInt(area.length)) refuse('dataTruncated')
  return Number(length)
}
