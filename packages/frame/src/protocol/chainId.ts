const EVM = /^eip155:[1-9]\d{0,15}$/
const OTHER = /^(?!eip155:)[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/
/** A chain id without its namespace, as older SDKs send it. */
const BARE = /^([1-9]\d{0,15}|0x[0-9a-fA-F]{1,14})$/

/**
 * Returns the CAIP-2 id of a network in its only accepted form: `eip155:` and decimal digits without a sign, an exponent or leading zeros, or
 * the id of another namespace. A bare chain id, a number or a decimal or hexadecimal text, is that of an EVM network.
 * Undefined for anything else.
 */
export function readChainId(value: unknown): string | undefined {
  if (typeof value === 'number') return isChainNumber(value) ? `eip155:${value}` : undefined
  if (typeof value !== 'string') return undefined
  if (OTHER.test(value)) return value
  const number = Number(
    EVM.test(value) ? value.slice('eip155:'.length) : BARE.test(value) ? value : Number.NaN,
  )
  return isChainNumber(number) ? `eip155:${number}` : undefined
}

const isChainNumber = (value: number) => Number.isSafeInteger(value) && value > 0
