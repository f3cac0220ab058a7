import { words } from '../evm/evmCalls.ts'
import { requireSoon } from './verify/effect.ts'
import { refuse, VerificationError } from './verify/refusal.ts'

const SIGNATURE_DIGITS = 130

/** The terms that a signed approval (EIP-2612) must have. */
export interface PermitTerms {
  /** Plain addresses. */
  readonly token: string
  readonly owner: string
  readonly spender: string
  /** Base units. */
  readonly amount: bigint
  /** The reference part of the CAIP-2 id. */
  readonly chainId: string
  /** Unix seconds. */
  readonly now: number
}

/** A verified permit. */
export interface Permit {
  /** JSON for `eth_signTypedData_v4`, serialized by the page. */
  readonly typedData: string
  /** Unix seconds. */
  readonly deadline: bigint
}

/** The structs of EIP-2612 and of its domain (EIP-712). */
const permitTypes = {
  EIP712Domain: fields('string name', 'string version', 'uint256 chainId', 'address verifyingContract'),
  Permit: fields('address owner', 'address spender', 'uint256 value', 'uint256 nonce', 'uint256 deadline'),
}

type Struct = Readonly<Record<string, unknown>>

/**
 * Verifies typed data before it is signed, and serializes it again from the terms: only the name and the version of the token's domain, the nonce
 * and the deadline are the gateway's.
 *
 * @param typedData JSON.
 * @throws VerificationError if it differs from the terms.
 */
export function readPermit(typedData: string, terms: PermitTerms): Permit {
  const { primaryType, types, domain, message } = parse(typedData)
  const deadline = integer(message.deadline)
  const nonce = integer(message.nonce)
  const isRight =
    primaryType === 'Permit' &&
    hasTypes(types) &&
    hasFields(domain, 'EIP712Domain') &&
    hasFields(message, 'Permit') &&
    typeof domain.name === 'string' &&
    typeof domain.version === 'string' &&
    isAddress(domain.verifyingContract, terms.token) &&
    isAddress(message.owner, terms.owner) &&
    isAddress(message.spender, terms.spender) &&
    integer(message.value) === terms.amount &&
    integer(domain.chainId) === BigInt(terms.chainId)
  if (!isRight || deadline === undefined || nonce === undefined)
    return refuse('The permit is not for this swap')
  requireSoon(deadline, terms)
  const { name, version } = domain
  const own = {
    types: permitTypes,
    primaryType: 'Permit',
    domain: { name, version, chainId: Number(terms.chainId), verifyingContract: terms.token },
    message: {
      owner: terms.owner,
      spender: terms.spender,
      value: terms.amount.toString(),
      nonce: nonce.toString(),
      deadline: deadline.toString(),
    },
  }
  return { typedData: JSON.stringify(own), deadline }
}

/**
 * Encodes a signed permit for the gateway: the 65 bytes of the signature, then amount and deadline as 32-byte words.
 *
 * @returns undefined for a signature of another length, which tokens refuse.
 */
export function encodePermit(signature: string, amount: bigint, deadline: bigint): string | undefined {
  const digits = signature.replace(/^0x/, '')
  if (!/^[0-9a-f]*$/i.test(digits) || digits.length !== SIGNATURE_DIGITS) return undefined
  return `0x${withRecoveryId(digits)}${words(amount, deadline)}`
}

/** Replaces a recovery id of 0 or 1, which some wallets return, by 27 or 28. */
function withRecoveryId(digits: string): string {
  const last = Number.parseInt(digits.slice(-2), 16)
  return last < 27 ? digits.slice(0, -2) + (last + 27).toString(16) : digits
}

function fields(...declarations: readonly string[]) {
  return declarations.map((declaration) => {
    const [type, name] = declaration.split(' ')
    return { name, type }
  })
}

function hasTypes(types: Struct): boolean {
  const structs = Object.entries(permitTypes)
  return (
    Object.keys(types).length === structs.length &&
    structs.every(([struct, own]) => declared(types[struct]) === declared(own))
  )
}

/** The declaration of a struct; undefined if it is not a list of fields. */
function declared(struct: unknown): string | undefined {
  return Array.isArray(struct) ? struct.map((field) => `${field?.type} ${field?.name}`).join() : undefined
}

function hasFields(value: Struct, struct: keyof typeof permitTypes): boolean {
  const names = permitTypes[struct].map(({ name }) => String(name))
  return Object.keys(value).length === names.length && names.every((name) => name in value)
}

function parse(typedData: string) {
  try {
    const { primaryType, types, domain, message } = Object(JSON.parse(typedData))
    return {
      primaryType: primaryType as unknown,
      types: Object(types) as Struct,
      domain: Object(domain) as Struct,
      message: Object(message) as Struct,
    }
  } catch (error) {
    throw new VerificationError('The permit is not JSON', { cause: error })
  }
}

function isAddress(value: unknown, address: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === address.toLowerCase()
}

function integer(value: unknown): bigint | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  try {
    return BigInt(value)
  } catch {
    return undefined
  }
}
