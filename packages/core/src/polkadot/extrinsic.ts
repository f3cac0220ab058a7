import { blake2b } from '@noble/hashes/blake2.js'
import { WalletError } from '../errors/walletFailure.ts'
import { bytesOf, concat, hexOf } from './bytes.ts'
import type { Extension, Runtime } from './runtime.ts'

/** Blocks that an extrinsic can be included in, from the block that its signature names. */
export const LIFETIME_BLOCKS = 64
/** The period of an era is two to the power of the lowest four bits and one. */
const PERIOD_BITS = 5
/** A signed extrinsic of version 4. */
const SIGNED_V4 = 0x84
/** `MultiAddress::Id`. */
const ADDRESS_ID = 0
const ECDSA = 2
/** Bytes of a signature and the byte of its kind. */
const SIGNATURE_SIZE = 65

/** What is signed in addition to the call of an extrinsic. */
export interface SigningTerms {
  readonly nonce: number
  /** The block from which the extrinsic can be included. */
  readonly blockNumber: number
  /** Hex. */
  readonly blockHash: string
}

/** What wallets may leave out of their own payload but extrinsics have to contain. */
type ExtensionData = (terms: SigningTerms) => Uint8Array

/** The data of known extensions in an extrinsic: no tip, the fee in the native token, and no hash of the metadata. */
const extensionData: Readonly<Record<string, ExtensionData>> = {
  CheckMortality: ({ blockNumber }) => eraOf(blockNumber),
  CheckEra: ({ blockNumber }) => eraOf(blockNumber),
  CheckNonce: ({ nonce }) => compact(BigInt(nonce)),
  ChargeTransactionPayment: () => Uint8Array.of(0),
  ChargeAssetTxPayment: () => Uint8Array.of(0, 0),
  CheckMetadataHash: () => Uint8Array.of(0),
}

/** Extensions that add data to the signed payload only. */
const signedOnly: readonly string[] = ['CheckSpecVersion', 'CheckTxVersion', 'CheckGenesis']

/**
 * Returns the payload that an extension of the browser signs: `SignerPayloadJSON`, whose numbers are big-endian hex of
 * their whole size.
 */
export function signerPayload(
  runtime: Runtime,
  call: Uint8Array,
  { nonce, blockNumber, blockHash }: SigningTerms,
): Record<string, unknown> {
  return {
    method: `0x${hexOf(call)}`,
    genesisHash: runtime.genesisHash,
    blockHash,
    blockNumber: bigEndian(blockNumber, 4),
    era: `0x${hexOf(eraOf(blockNumber))}`,
    nonce: bigEndian(nonce, 4),
    specVersion: bigEndian(runtime.specVersion, 4),
    transactionVersion: bigEndian(runtime.transactionVersion, 4),
    tip: bigEndian(0, 16),
    mode: 0,
    metadataHash: null,
    assetId: null,
    signedExtensions: runtime.extensions.map(({ identifier }) => identifier),
    version: 4,
    withSignedTransaction: false,
  }
}

/**
 * Returns a signed extrinsic of version 4.
 *
 * @param from 32 bytes of the signing account.
 * @param signature with the byte of its kind.
 * @throws Error when the chain has an extension whose data is not known.
 */
export function encodeExtrinsic(
  { extensions }: Runtime,
  call: Uint8Array,
  from: Uint8Array,
  signature: Uint8Array,
  terms: SigningTerms,
): Uint8Array {
  const extra = extensions.map((extension) => dataOf(extension, terms))
  const body = concat(Uint8Array.of(SIGNED_V4, ADDRESS_ID), from, signature, ...extra, call)
  return concat(compact(BigInt(body.length)), body)
}

function dataOf({ identifier, isEmpty }: Extension, terms: SigningTerms): Uint8Array {
  const data = Object.hasOwn(extensionData, identifier) ? extensionData[identifier] : undefined
  if (data) return data(terms)
  if (isEmpty || signedOnly.includes(identifier)) return new Uint8Array()
  throw new Error(`The chain has an extension that is not known: ${identifier}`)
}

/** The longest signature, for fees: they depend on an extrinsic's size. */
export const longestSignature: Uint8Array = concat(
  Uint8Array.of(ECDSA),
  new Uint8Array(SIGNATURE_SIZE).fill(1),
)

/** Returns the bytes of a wallet's signature. @throws WalletError for a text that is not one with the byte of its kind. */
export function parseSignature(text: string): Uint8Array {
  try {
    const signature = bytesOf(text)
    const [kind = ECDSA + 1] = signature
    // ECDSA signatures have the byte that recovers the key beside.
    const size = kind === ECDSA ? SIGNATURE_SIZE + 1 : SIGNATURE_SIZE
    if (kind <= ECDSA && signature.length === size) return signature
  } catch {
    // Reported below.
  }
  throw new WalletError('unreadable', 'The wallet returned no signature')
}

/** Returns the hash by which an extrinsic is known (BLAKE2b-256), hex. */
export function hashOf(extrinsic: Uint8Array): string {
  return `0x${hexOf(blake2b(extrinsic, { dkLen: 32 }))}`
}

/** Returns the two bytes of a mortal era that begins with a block. */
function eraOf(blockNumber: number): Uint8Array {
  const era = PERIOD_BITS | ((blockNumber % LIFETIME_BLOCKS) << 4)
  return Uint8Array.of(era & 0xff, era >> 8)
}

/** Returns an integer in the compact form of SCALE. */
function compact(value: bigint): Uint8Array {
  if (value < 1n << 6n) return littleEndian(value << 2n, 1)
  if (value < 1n << 14n) return littleEndian((value << 2n) | 1n, 2)
  if (value < 1n << 30n) return littleEndian((value << 2n) | 2n, 4)
  throw new RangeError('The integer is too large')
}

function littleEndian(value: bigint, size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, index) => Number((value >> BigInt(8 * index)) & 0xffn))
}

function bigEndian(value: number, size: number): string {
  return `0x${value.toString(16).padStart(2 * size, '0')}`
}
