import { PERMIT2, words } from '../evm/evmCalls.ts'
import { requireSoon } from './verify/effect.ts'
import { refuse, VerificationError } from './verify/refusal.ts'

const SIGNATURE_DIGITS = 130

/** Permit2 counts nonces in 48 bits. */
const NONCE_LIMIT = 1n << 48n

/** The terms that a signed approval must have. */
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
  /** The words after the signature, see `encodePermit`. */
  readonly words: readonly bigint[]
}

type Fields = readonly { readonly name: string; readonly type: string }[]
type Struct = Readonly<Record<string, unknown>>

/** The structs of EIP-2612 and of its domain (EIP-712). */
const permitTypes = {
  EIP712Domain: fields('string name', 'string version', 'uint256 chainId', 'address verifyingContract'),
  Permit: fields('address owner', 'address spender', 'uint256 value', 'uint256 nonce', 'uint256 deadline'),
}

/** The structs of a permit of Permit2 for one token, and of its domain. */
const singleTypes = {
  EIP712Domain: fields('string name', 'uint256 chainId', 'address verifyingContract'),
  PermitSingle: fields('PermitDetails details', 'address spender', 'uint256 sigDeadline'),
  PermitDetails: fields('address token', 'uint160 amount', 'uint48 expiration', 'uint48 nonce'),
}

/**
 * Verifies a permit of EIP-2612 before it is signed, and serializes it again from the terms: only the name and the version of the token's domain, the
 * nonce and the deadline are the gateway's.
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
    hasTypes(types, permitTypes) &&
    hasFields(domain, permitTypes.EIP712Domain) &&
    hasFields(message, permitTypes.Permit) &&
    typeof domain.name === 'string' &&
    typeof domain.version === 'string' &&
    isAddress(domain.verifyingContract, terms.token) &&
    isAddress(message.owner, terms.owner) &&
    isAddress(message.spender, terms.spender) &&
    integer(message.value) === terms.amount &&
    integer(domain.chainId) === BigInt(terms.chainId)
  if (!isRight || deadline === undefined || nonce === undefined) return refuse('permitOther')
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
  return { typedData: JSON.stringify(own), deadline, words: [terms.amount, deadline] }
}

/**
 * Verifies a permit of Permit2 before it is signed, and serializes it again from the terms: only the nonce, the expiration and the deadline are the
 * gateway's.
 *
 * @param typedData JSON.
 * @throws VerificationError if it differs from the terms.
 */
export function readPermitSingle(typedData: string, terms: PermitTerms): Permit {
  const { primaryType, types, domain, message } = parse(typedData)
  const details = Object(message.details) as Struct
  const [expiration, nonce, deadline] = [details.expiration, details.nonce, message.sigDeadline].map(integer)
  const isRight =
    primaryType === 'PermitSingle' &&
    hasTypes(types, singleTypes) &&
    hasFields(domain, singleTypes.EIP712Domain) &&
    hasFields(message, singleTypes.PermitSingle) &&
    hasFields(details, singleTypes.PermitDetails) &&
    domain.name === 'Permit2' &&
    isAddress(domain.verifyingContract, PERMIT2) &&
    integer(domain.chainId) === BigInt(terms.chainId) &&
    isAddress(details.token, terms.token) &&
    isAddress(message.spender, terms.spender) &&
    integer(details.amount) === terms.amount
  if (!isRight || expiration === undefined || nonce === undefined || deadline === undefined)
    return refuse('permitOther')
  if (nonce < 0n || nonce >= NONCE_LIMIT) refuse('permitOther')
  requireSoon(expiration, terms)
  requireSoon(deadline, terms)
  const own = {
    types: singleTypes,
    primaryType: 'PermitSingle',
    domain: { name: 'Permit2', chainId: Number(terms.chainId), verifyingContract: PERMIT2 },
    message: {
      details: {
        token: terms.token,
        amount: terms.amount.toString(),
        expiration: expiration.toString(),
        nonce: nonce.toString(),
      },
      spender: terms.spender,
      sigDeadline: deadline.toString(),
    },
  }
  return {
    typedData: JSON.stringify(own),
    deadline,
    words: [terms.amount, expiration, nonce, deadline],
  }
}

/**
 * Encodes a signed permit for the gateway: the 65 bytes of the signature, then the terms as 32-byte words.
 *
 * @returns undefined for a signature of another length, which tokens and Permit2 refuse.
 */
export function encodePermit(signature: string, ...terms: readonly bigint[]): string | undefined {
  const digits = signature.replace(/^0x/, '')
  if (!/^[0-9a-f]*$/i.test(digits) || digits.length !== SIGNATURE_DIGITS) return undefined
  return `0x${withRecoveryId(digits)}${words(...terms)}`
}

/** Replaces a recovery id of 0 or 1, which some wallets return, by 27 or 28. */
function withRecoveryId(digits: string): string {
  const last = Number.parseInt(digits.slice(-2), 16)
  return last < 27 ? digits.slice(0, -2) + (last + 27).toString(16) : digits
}

function fields(...declarations: readonly string[]): Fields {
  return declarations.map((declaration) => {
    const [type = '', name = ''] = declaration.split(' ')
    return { name, type }
  })
}

function hasTypes(types: Struct, own: Readonly<Record<string, Fields>>): boolean {
  const structs = Object.entries(own)
  return (
    Object.keys(types).length === structs.length &&
    structs.every(([struct, declaration]) => declared(types[struct]) === declared(declaration))
  )
}

/** Returns the declaration of a struct; undefined if it is not a list of fields. */
function declared(struct: unknown): string | undefined {
  return Array.isArray(struct) ? struct.map((field) => `${field?.type} ${field?.name}`).join() : undefined
}

function hasFields(value: Struct, declaration: Fields): boolean {
  return Object.keys(value).length === declaration.length && declaration.every(({ name }) => name in value)
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
    throw new VerificationError('permitNotJson', { cause: error })
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
