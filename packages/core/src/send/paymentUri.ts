import type { CaipNetworkId, Namespace } from '../types/network.ts'

/** A payment that a URI requests. */
export interface PaymentRequest {
  readonly namespace: Namespace
  /** Absent if the URI names no network. */
  readonly caipNetworkId?: CaipNetworkId
  /** An address or a name. */
  readonly receiver: string
  /** The contract or mint of a token; the native token when absent. */
  readonly token?: string
  /** In base units, or a decimal string in whole tokens; absent if the payer chooses. */
  readonly amount?: bigint | string
}

/** Longer URIs are not read. */
const MAX_LENGTH = 2_000

/** Exponents that no amount of a token has. */
const MAX_EXPONENT = 77

const schemes: Readonly<
  Record<string, (path: string, query: URLSearchParams) => PaymentRequest | undefined>
> = {
  ethereum: readEthereum,
  bitcoin: readBitcoin,
  solana: readSolana,
}

/**
 * Reads a payment request: EIP-681, BIP-21 or a transfer request of Solana Pay. Gas fields are not taken: the wallet sets
 * them.
 *
 * @returns undefined for other text, and for a request that a plain transfer cannot fulfil.
 */
export function readPaymentUri(text: string): PaymentRequest | undefined {
  const [, scheme = '', path = '', query = ''] =
    /^([a-z]+):(?:\/\/)?([^?#]*)(?:\?([^#]*))?$/i.exec(text) ?? []
  if (text.length > MAX_LENGTH) return undefined
  const fields = new URLSearchParams(query)
  const names = [...fields.keys()]
  if (new Set(names).size !== names.length) return undefined
  return schemes[scheme.toLowerCase()]?.(decoded(path), fields)
}

/** EIP-681: a transfer of the native token, or `transfer` of ERC-20. */
function readEthereum(path: string, query: URLSearchParams): PaymentRequest | undefined {
  const [, target, chain, call] = /^(?:pay-)?([^@/]+)(?:@(\d{1,15}))?(?:\/(\w+))?$/i.exec(path) ?? []
  if (!target || chain === '0') return undefined
  const network = chain ? { caipNetworkId: `eip155:${Number(chain)}` as const } : {}
  if (!call) {
    const amount = readAmount(query.get('value'), readInteger)
    return amount && { namespace: 'eip155', ...network, receiver: target, ...amount }
  }
  const receiver = query.get('address')
  const amount = readAmount(query.get('uint256'), readInteger)
  if (call !== 'transfer' || !receiver || !amount || query.has('value')) return undefined
  return { namespace: 'eip155', ...network, receiver, token: target, ...amount }
}

/** BIP-21: unknown fields that are required refuse it. */
function readBitcoin(path: string, query: URLSearchParams): PaymentRequest | undefined {
  const amount = readAmount(query.get('amount'), readDecimal)
  if (!path || !amount || [...query.keys()].some((name) => /^req-/i.test(name))) return undefined
  return { namespace: 'bip122', receiver: path, ...amount }
}

/** A receiver that waits for its reference or memo would not find a transfer without it. */
function readSolana(path: string, query: URLSearchParams): PaymentRequest | undefined {
  const amount = readAmount(query.get('amount'), readDecimal)
  const token = query.get('spl-token')
  const isPlain = !query.has('reference') && !query.has('memo')
  if (!/^[1-9a-z]{32,44}$/i.test(path) || !amount || !isPlain) return undefined
  return { namespace: 'solana', receiver: path, ...(token && { token }), ...amount }
}

/** Returns the field of an amount, which may be absent; undefined if it is there and is not one. */
function readAmount<Amount>(
  text: string | null,
  read: (text: string) => Amount | undefined,
): { readonly amount?: Amount } | undefined {
  if (text === null) return {}
  const amount = read(text)
  return amount === undefined ? undefined : { amount }
}

/** Reads an integer of EIP-681, which may have a point and an exponent: `2.014e18`. */
function readInteger(text: string): bigint | undefined {
  const [, whole = '', fraction = '', exponent = '0'] = /^(\d*)(?:\.(\d+))?(?:e(\d{1,2}))?$/i.exec(text) ?? []
  const places = Number(exponent)
  if (whole + fraction === '' || places > MAX_EXPONENT || fraction.length > places) return undefined
  return BigInt(whole + fraction.padEnd(places, '0'))
}

function readDecimal(text: string): string | undefined {
  const [decimal] = /^\d+(\.\d+)?$|^\.\d+$/.exec(text) ?? []
  return decimal?.startsWith('.') ? `0${decimal}` : decimal
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}
