import { address, getBase58Decoder, getBase58Encoder, isAddress, isSignature } from '@solana/kit'
import { invalidParams } from './errors.mjs'

const base58Decoder = getBase58Decoder()
const base58Encoder = getBase58Encoder()

/** Largest data that is encoded in base58. */
const base58Limit = 128

/** @param {import('@solana/kit').ReadonlyUint8Array} bytes */
export const toBase58 = (bytes) => base58Decoder.decode(bytes)

/** @param {string} value */
export const fromBase58 = (value) => Buffer.from(base58Encoder.encode(value))

/** Addresses by their bytes: base58 is slow, and the same ones come again. @type {Map<string, string>} */
const addresses = new Map()
const addressesKept = 50_000

/** @param {Uint8Array} bytes 32 */
export function toAddress(bytes) {
  const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const known = addresses.get(key)
  if (known) return known
  if (addresses.size >= addressesKept) addresses.clear()
  const encoded = toBase58(bytes)
  addresses.set(key, encoded)
  return encoded
}

/**
 * @param {unknown} value
 * @throws {RpcError} when it is no address
 */
export function parseAddress(value) {
  if (typeof value !== 'string') throw invalidParams('invalid type: expected a string')
  if (!isAddress(value)) throw invalidParams(/[^1-9A-HJ-NP-Za-km-z]/.test(value) ? 'Invalid' : 'WrongSize')
  return address(value)
}

/**
 * @param {unknown} value
 * @returns {string}
 * @throws {RpcError} when it is no signature: 64 bytes in base58
 */
export function parseSignature(value) {
  if (typeof value !== 'string') throw invalidParams('invalid type: expected a string')
  if (!isSignature(value)) throw invalidParams(/[^1-9A-HJ-NP-Za-km-z]/.test(value) ? 'Invalid' : 'WrongSize')
  return value
}

/**
 * Encodes the data of an account, or a part of it.
 *
 * @param {Uint8Array} data
 * @param {{ encoding?: string | undefined, dataSlice?: { offset: number, length: number } | undefined }} options
 */
export function encodeData(data, { encoding = 'base58', dataSlice }) {
  const part = dataSlice ? data.subarray(dataSlice.offset, dataSlice.offset + dataSlice.length) : data
  if (encoding === 'base64' || encoding === 'base64+zstd')
    return [Buffer.from(part).toString('base64'), 'base64']
  if (encoding !== 'base58' && encoding !== 'binary') throw invalidParams(`unknown encoding ${encoding}`)
  if (part.length > base58Limit) {
    throw invalidParams(
      'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
    )
  }
  return [toBase58(part), 'base58']
}
