import { randomBytes } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1'
import { p2wpkh, TEST_NETWORK } from '@scure/btc-signer'
import { site } from './site.mjs'

const { bitcoin } = site.devnet
if (!bitcoin) throw new Error('the stack has no Bitcoin network')
const { apiUrl } = bitcoin

/**
 * A transaction as Esplora lists it.
 * @typedef {object} BitcoinTransaction
 * @property {string} txid
 * @property {number} fee satoshis
 * @property {number} weight
 * @property {{ confirmed: boolean }} status
 * @property {{ scriptpubkey_address?: string, value: number }[]} vout
 */

/** The local Bitcoin network as the journeys access it: through its node, not through the product. */
export const btc = {
  ...bitcoin,
  /** @param {number} index */
  account(index) {
    const account = bitcoin.accounts[index]
    if (!account) throw new Error(`the network has no account ${index}`)
    return account
  },
  /**
   * @param {string} address
   * @returns {Promise<bigint>} satoshis, with those of transactions in no block
   */
  async balance(address) {
    const { chain_stats: chain, mempool_stats: pool } = JSON.parse(await call('GET', `/address/${address}`))
    const sums = [chain.funded_txo_sum, -chain.spent_txo_sum, pool.funded_txo_sum, -pool.spent_txo_sum]
    return sums.reduce((sum, value) => sum + BigInt(value), 0n)
  },
  /**
   * Pays satoshis of the miner, in a block.
   *
   * @param {string} address
   * @param {number} satoshis
   */
  fund: (address, satoshis) => call('POST', `/dev/fund?address=${address}&satoshis=${satoshis}`),
  mine: () => call('POST', '/dev/mine?blocks=1'),
  /**
   * @param {string} address
   * @returns {Promise<BitcoinTransaction[]>} newest first
   */
  transactions: async (address) => JSON.parse(await call('GET', `/address/${address}/txs`)),
}

/** Returns an unused address, so that its balance comes from the journey only. */
export function freshBitcoinAddress() {
  const { address } = p2wpkh(secp256k1.getPublicKey(randomBytes(32)), { ...TEST_NETWORK, bech32: 'bcrt' })
  return address ?? ''
}

/**
 * @param {'GET' | 'POST'} method
 * @param {string} path
 */
async function call(method, path) {
  const response = await fetch(apiUrl + path, { method, signal: AbortSignal.timeout(5_000) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${text}`)
  return text
}
