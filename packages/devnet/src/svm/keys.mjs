import { createHash, createHmac, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { address, getBase58Decoder, getBase58Encoder } from '@solana/kit'
import { seedOf } from '../mnemonic.mjs'

/**
 * An account of the local Solana chain.
 * @typedef {object} SolanaAccount
 * @property {import('@solana/kit').Address} address
 * @property {string} secretKey private and public key, 64 bytes in base58: the form that wallets import
 * @property {string} path SLIP-0010 derivation path
 */

const base58 = getBase58Decoder()

/** DER prefix of an ed25519 private key (RFC 8410), before its 32 bytes. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

const seed = seedOf()

/** Ten accounts in derivation order. @type {SolanaAccount[]} */
export const accounts = Array.from({ length: 10 }, (_, index) => derive(index))

/** Creates the mints and is their authority. */
export const minter = derive(100)

/** Holds what the sellers of the sandbox send; its key is in the development configuration. */
export const treasury = derive(101)

/** Pays airdrops. */
export const faucet = derive(102)

/**
 * Signs a message.
 *
 * @param {SolanaAccount} account
 * @param {import('@solana/kit').ReadonlyUint8Array} message
 * @returns {import('@solana/kit').SignatureBytes}
 */
export function signWith({ secretKey }, message) {
  const key = Buffer.from(getBase58Encoder().encode(secretKey)).subarray(0, 32)
  const signature = new Uint8Array(sign(null, Buffer.from(message), privateKey(key)))
  return /** @type {import('@solana/kit').SignatureBytes} */ (signature)
}

/**
 * Returns an address that is the same on every fresh chain, for an account whose key is not needed.
 *
 * @param {string} name
 */
export function addressOf(name) {
  return address(base58.decode(publicKey(createHash('sha256').update(`hawser ${name}`).digest())))
}

/**
 * Derives a key as wallets do (SLIP-0010, every level hardened).
 *
 * @param {number} index
 * @returns {SolanaAccount}
 */
function derive(index) {
  let node = createHmac('sha512', 'ed25519 seed').update(seed).digest()
  for (const level of [44, 501, index, 0]) {
    const data = Buffer.alloc(37)
    node.copy(data, 1, 0, 32)
    data.writeUInt32BE((level | 0x80000000) >>> 0, 33)
    node = createHmac('sha512', node.subarray(32)).update(data).digest()
  }
  const key = node.subarray(0, 32)
  const publicBytes = publicKey(key)
  return {
    address: address(base58.decode(publicBytes)),
    secretKey: base58.decode(Buffer.concat([key, publicBytes])),
    path: `m/44'/501'/${index}'/0'`,
  }
}

/** @param {Buffer} key 32 bytes */
function publicKey(key) {
  return createPublicKey(privateKey(key)).export({ format: 'der', type: 'spki' }).subarray(-32)
}

/** @param {Buffer} key 32 bytes */
function privateKey(key) {
  return createPrivateKey({ key: Buffer.concat([pkcs8Prefix, key]), format: 'der', type: 'pkcs8' })
}
