import { hexToU8a } from '@polkadot/util'
import {
  blake2AsHex,
  blake2AsU8a,
  ed25519PairFromSeed,
  encodeAddress,
  secp256k1PairFromSeed,
  sr25519PairFromSeed,
} from '@polkadot/util-crypto'
import { prefix } from './runtime.mjs'

/**
 * A funded account of the local Polkadot chain.
 * @typedef {object} PolkadotAccount
 * @property {string} address SS58
 * @property {KeyType} type
 * @property {string} seed 32 bytes, hex
 */

/** @typedef {'sr25519' | 'ed25519' | 'ecdsa'} KeyType */

/** The kinds of keys in the order of the accounts, which repeats. */
const keyTypes = /** @type {const} */ (['sr25519', 'ed25519', 'ecdsa'])

const accountCount = 30

/** @returns {PolkadotAccount[]} */
export function deriveAccounts() {
  return Array.from({ length: accountCount }, (_, index) => {
    const type = keyTypes[index % keyTypes.length] ?? 'sr25519'
    const seed = blake2AsHex(`hawser devnet polkadot ${index}`, 256)
    return { address: encodeAddress(accountIdOf(type, hexToU8a(seed)), prefix), type, seed }
  })
}

/**
 * @param {KeyType} type
 * @param {Uint8Array} seed
 * @returns {Uint8Array} 32 bytes; for ECDSA keys, which have 33, their hash
 */
function accountIdOf(type, seed) {
  if (type === 'sr25519') return sr25519PairFromSeed(seed).publicKey
  if (type === 'ed25519') return ed25519PairFromSeed(seed).publicKey
  return blake2AsU8a(secp256k1PairFromSeed(seed).publicKey, 256)
}
