import { ed25519 } from '@noble/curves/ed25519'

const SIGNATURE_BYTES = 64
const KEY_BYTES = 32

/**
 * Signs a transaction in wire format, and returns it with the signature in the slot of the key's account.
 *
 * @param secretKey private and public key, 64 bytes.
 * @throws Error when the account is not one of the signers.
 */
export function signTransaction(transaction: Uint8Array, secretKey: Uint8Array): Uint8Array {
  const [signatures, signaturesAt] = readLength(transaction, 0)
  const messageAt = signaturesAt + signatures * SIGNATURE_BYTES
  const message = transaction.subarray(messageAt)
  // A versioned message starts with its version, whose first bit is set; three counts follow.
  const headerAt = (message[0] ?? 0) & 0x80 ? 1 : 0
  const [, keysAt] = readLength(message, headerAt + 3)
  const publicKey = secretKey.subarray(KEY_BYTES)
  for (let slot = 0; slot < signatures; slot++) {
    const key = message.subarray(keysAt + slot * KEY_BYTES, keysAt + (slot + 1) * KEY_BYTES)
    if (!key.every((byte, at) => byte === publicKey[at])) continue
    const signed = transaction.slice()
    signed.set(ed25519.sign(message, secretKey.subarray(0, KEY_BYTES)), signaturesAt + slot * SIGNATURE_BYTES)
    return signed
  }
  throw new Error('The account does not sign this transaction')
}

/** Reads a length of up to three bytes of seven bits, the lowest first; returns it and where it ends. */
function readLength(bytes: Uint8Array, at: number): [length: number, end: number] {
  let length = 0
  for (let part = 0; part < 3; part++) {
    const byte = bytes[at + part] ?? 0
    length |= (byte & 0x7f) << (7 * part)
    if (byte < 0x80 && (byte > 0 || part === 0)) return [length, at + part + 1]
  }
  throw new Error('The transaction is not well formed')
}
