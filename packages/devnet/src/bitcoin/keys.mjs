import { p2tr, p2wpkh, TEST_NETWORK } from '@scure/btc-signer'
import { HDKey } from 'viem/accounts'
import { seedOf } from '../mnemonic.mjs'

/**
 * An address of an account, with its key.
 * @typedef {object} BitcoinKey
 * @property {string} address in bech32 (BIP-173, BIP-350)
 * @property {string} publicKey in hex: 33 bytes; 32 bytes for Taproot (BIP-340)
 * @property {string} privateKey 32 bytes in hex
 * @property {string} path BIP-32 derivation path
 */

/**
 * An account of the local Bitcoin network: wallets keep ordinals apart from what pays.
 * @typedef {object} BitcoinAccount
 * @property {BitcoinKey} payment P2WPKH (BIP-84)
 * @property {BitcoinKey} ordinal P2TR (BIP-86)
 */

const regtest = { ...TEST_NETWORK, bech32: 'bcrt' }

const root = HDKey.fromMasterSeed(seedOf())

/** Ten accounts in derivation order. @type {BitcoinAccount[]} */
export const accounts = Array.from({ length: 10 }, (_, index) => ({
  payment: derive(`m/84'/1'/${index}'/0/0`, (key) => p2wpkh(key, regtest).address),
  ordinal: derive(`m/86'/1'/${index}'/0/0`, (key) => p2tr(key.subarray(1), undefined, regtest).address, 1),
}))

/**
 * @param {string} path
 * @param {(publicKey: Uint8Array) => string | undefined} addressOf
 * @param {number} [keyFrom] index of the first byte of the public key that is kept
 * @returns {BitcoinKey}
 */
function derive(path, addressOf, keyFrom = 0) {
  const { publicKey, privateKey } = root.derive(path)
  const address = publicKey && addressOf(publicKey)
  if (!address || !privateKey) throw new Error(`no address is derived at ${path}`)
  return {
    address,
    publicKey: Buffer.from(publicKey.subarray(keyFrom)).toString('hex'),
    privateKey: Buffer.from(privateKey).toString('hex'),
    path,
  }
}
