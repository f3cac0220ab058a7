import { words } from '../evm/evmCalls.ts'

const SIGNATURE_DIGITS = 130

/** What a signed approval (EIP-2612) must say, for the visitor signs no other. */
export interface PermitTerms {
  /** Plain addresses. */
  readonly token: string
  readonly owner: string
  readonly spender: string
  /** Base units. */
  readonly amount: bigint
  /** The reference part of the CAIP-2 id. */
  readonly chainId: string
}

/** The typed data to be signed is not what it should be. */
export class PermitError extends Error {
  override readonly name = 'PermitError'
}

interface TypedPermit {
  readonly primaryType?: unknown
  readonly domain?: { readonly verifyingContract?: unknown; readonly chainId?: unknown }
  readonly message?: {
    readonly owner?: unknown
    readonly spender?: unknown
    readonly value?: unknown
    readonly deadline?: unknown
  }
}

/**
 * Reads the deadline of a permit, in Unix seconds, after making sure that it permits exactly what it should.
 *
 * @param typedData JSON.
 * @throws PermitError
 */
export function checkPermit(typedData: string, terms: PermitTerms): bigint {
  const { primaryType, domain, message } = parse(typedData)
  const isRight =
    primaryType === 'Permit' &&
    isAddress(domain?.verifyingContract, terms.token) &&
    isAddress(message?.owner, terms.owner) &&
    isAddress(message?.spender, terms.spender) &&
    integer(message?.value) === terms.amount &&
    integer(domain?.chainId) === BigInt(terms.chainId)
  const deadline = integer(message?.deadline)
  if (!isRight || deadline === undefined) throw new PermitError('The permit is not for this swap')
  return deadline
}

/**
 * A signed permit as the gateway takes it: the 65 bytes of the signature, then amount and deadline as words.
 *
 * @returns undefined when the wallet answered another kind of signature, which no token takes.
 */
export function encodePermit(signature: string, amount: bigint, deadline: bigint): string | undefined {
  const digits = signature.replace(/^0x/, '')
  if (!/^[0-9a-f]*$/i.test(digits) || digits.length !== SIGNATURE_DIGITS) return undefined
  return `0x${withRecoveryId(digits)}${words(amount, deadline)}`
}

/** Some wallets end a signature in 0 or 1, where tokens want 27 or 28. */
function withRecoveryId(digits: string): string {
  const last = Number.parseInt(digits.slice(-2), 16)
  return last < 27 ? digits.slice(0, -2) + (last + 27).toString(16) : digits
}

function parse(typedData: string): TypedPermit {
  try {
    return Object(JSON.parse(typedData))
  } catch (error) {
    throw new PermitError('The permit is not JSON', { cause: error })
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
