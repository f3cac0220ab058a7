import { bytesToHex } from 'viem'
import { HDKey, hdKeyToAccount } from 'viem/accounts'
import { seedOf } from './mnemonic.mjs'

/**
 * A funded account of the local chains.
 * @typedef {object} DevnetAccount
 * @property {`0x${string}`} address
 * @property {`0x${string}`} privateKey
 * @property {string} path BIP-44 derivation path
 */

const master = HDKey.fromMasterSeed(seedOf())

/** The ten accounts that anvil funds, in derivation order. @type {DevnetAccount[]} */
export const accounts = Array.from({ length: 10 }, (_, index) => derive(0, index))

/**
 * The account that deploys and mints. It is not one of the ten, so that its nonce, and with it the addresses
 * of the contracts, are the same on every new chain.
 *
 * @type {DevnetAccount}
 */
export const deployer = derive(1, 0)

/** Owns the off-chain resolver of names: it may change the resolver's URL and its signer. */
export const nameKeeper = derive(2, 0)

/** Signs a gateway's answers about names; its key is in the development configuration. */
export const nameSigner = derive(2, 1)

/** Holds what the sellers of the sandbox send; its key is in the development configuration. */
export const treasury = derive(3, 0)

/** Signs for the paymaster; its key is in the development configuration. */
export const paymasterSigner = derive(4, 0)

/** Send the bundler's transactions; their keys are in the development configuration. */
export const executors = [derive(4, 1), derive(4, 2)]

/** Have the Farcaster ids 1001, 1002 and 1003; their keys are in the Farcaster of hawser-dev. */
export const farcasterUsers = [derive(5, 0), derive(5, 1), derive(5, 2)]

/**
 * @param {number} change
 * @param {number} index
 * @returns {DevnetAccount}
 */
function derive(change, index) {
  const path = /** @type {const} */ (`m/44'/60'/0'/${change}/${index}`)
  const account = hdKeyToAccount(master, { path })
  const key = account.getHdKey().privateKey
  if (!key) throw new Error(`no private key at ${path}`)
  return { address: account.address, privateKey: bytesToHex(key), path }
}
