const SIGNATURE_LENGTH = 64
const KEY_LENGTH = 32
const VERSIONED = 0x80

/** A serialized transaction of Solana, taken apart as far as a signer needs. */
export interface SolanaTransaction {
  /** What is signed. */
  readonly message: Uint8Array<ArrayBuffer>
  /** Public keys that must sign, in the order of their signatures. */
  readonly signers: readonly Uint8Array[]
  /** Where the signatures start. */
  readonly signaturesAt: number
}

/** Reads a serialized transaction; undefined for other bytes. */
export function readSolanaTransaction(bytes: Uint8Array<ArrayBuffer>): SolanaTransaction | undefined {
  const count = readLength(bytes, 0)
  if (!count) return undefined
  const message = bytes.slice(count.next + count.value * SIGNATURE_LENGTH)
  const signers = readSigners(message)
  return signers?.length === count.value ? { message, signers, signaturesAt: count.next } : undefined
}

/** Reads the keys that must sign a message; undefined for bytes that are no message of a transaction. */
export function readSigners(message: Uint8Array): readonly Uint8Array[] | undefined {
  const start = (message[0] ?? 0) & VERSIONED ? 1 : 0
  const required = message[start] ?? 0
  const keys = readLength(message, start + 3)
  if (!keys || required === 0 || required > keys.value) return undefined
  const blockhashAt = keys.next + keys.value * KEY_LENGTH
  if (message.length < blockhashAt + KEY_LENGTH) return undefined
  return Array.from({ length: required }, (_, at) =>
    message.slice(keys.next + at * KEY_LENGTH, keys.next + (at + 1) * KEY_LENGTH),
  )
}

/** Returns the transaction with one more signature; undefined when the key is not one of its signers. */
export function withSignature(
  bytes: Uint8Array<ArrayBuffer>,
  { signers, signaturesAt }: SolanaTransaction,
  key: Uint8Array,
  signature: Uint8Array,
): Uint8Array<ArrayBuffer> | undefined {
  const at = signers.findIndex((signer) => signer.every((byte, index) => byte === key[index]))
  if (at < 0) return undefined
  const signed = bytes.slice()
  signed.set(signature, signaturesAt + at * SIGNATURE_LENGTH)
  return signed
}

/** Reads a length of 7 bits per byte, the lowest first, of at most two bytes, in its shortest form. */
function readLength(
  bytes: Uint8Array,
  at: number,
): { readonly value: number; readonly next: number } | undefined {
  const first = bytes[at]
  const second = bytes[at + 1]
  if (first === undefined) return undefined
  if (first < 0x80) return { value: first, next: at + 1 }
  // Other readers may refuse a length that is not in its shortest form, or read it differently.
  if (second === undefined || second >= 0x80 || second === 0) return undefined
  return { value: (first & 0x7f) | (second << 7), next: at + 2 }
}
