import { blake2b } from '@noble/hashes/blake2.js'

/** The payload of a transaction as pages hand it to extensions (`SignerPayloadJSON`); numbers are big-endian hex. */
export interface SignerPayload {
  readonly address: string
  readonly method: string
  readonly era: string
  readonly nonce: string
  readonly tip: string
  readonly specVersion: string
  readonly transactionVersion: string
  readonly genesisHash: string
  readonly blockHash: string
  readonly signedExtensions: readonly string[]
}

/** Longer payloads are signed by their hash. */
const LONGEST_PAYLOAD = 256

/** Data that signed extensions add to the transaction itself. */
const included: Readonly<Record<string, (payload: SignerPayload) => Uint8Array>> = {
  CheckMortality: ({ era }) => hex(era),
  CheckNonce: ({ nonce }) => compact(Number(nonce)),
  ChargeTransactionPayment: ({ tip }) => compact(Number(tip)),
  CheckMetadataHash: () => Uint8Array.of(0),
}

/** Data that signed extensions add to the signed payload, but not to the transaction. */
const implied: Readonly<Record<string, (payload: SignerPayload) => Uint8Array>> = {
  CheckSpecVersion: ({ specVersion }) => u32(Number(specVersion)),
  CheckTxVersion: ({ transactionVersion }) => u32(Number(transactionVersion)),
  CheckGenesis: ({ genesisHash }) => hex(genesisHash),
  CheckMortality: ({ blockHash }) => hex(blockHash),
  CheckMetadataHash: () => Uint8Array.of(0),
}

/** Returns the bytes that are signed for a transaction. */
export function signedBytes(payload: SignerPayload): Uint8Array {
  const of = (table: typeof included) =>
    payload.signedExtensions.flatMap((name) => [...(table[name]?.(payload) ?? [])])
  const whole = Uint8Array.from([...hex(payload.method), ...of(included), ...of(implied)])
  return whole.length > LONGEST_PAYLOAD ? blake2b(whole, { dkLen: 32 }) : whole
}

function hex(text: string): Uint8Array {
  return Uint8Array.from(text.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

function u32(value: number): Uint8Array {
  return Uint8Array.of(value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, value >>> 24)
}

/** Encodes an integer below 2^30 in the compact form of SCALE. */
function compact(value: number): Uint8Array {
  if (value < 64) return Uint8Array.of(value << 2)
  if (value < 1 << 14) return u32((value << 2) | 1).subarray(0, 2)
  if (value < 1 << 30) return u32((value << 2) | 2)
  throw new RangeError('The number is too large')
}
