import { randomBytes } from 'node:crypto'
import { encodeAddress } from '@polkadot/util-crypto'
import { site } from './site.mjs'

const { polkadot } = site.devnet
if (!polkadot) throw new Error('the stack has no Polkadot chain')

/** The local Polkadot chain as the journeys access it: through its node, not through the product. */
export const dotChain = {
  ...polkadot,
  /**
   * @param {number} index
   */
  account(index) {
    const account = polkadot.accounts[index]
    if (!account) throw new Error(`the chain has no account ${index}`)
    return account
  },
  /**
   * @param {string} address
   * @returns {Promise<bigint>} plancks
   */
  balance: async (address) => BigInt(await call('devnet_balance', [address])),
  /**
   * Locks plancks of an account, so that it cannot send them.
   *
   * @param {string} address
   * @param {bigint} frozen
   */
  lock: (address, frozen) => call('devnet_setAccount', [address, { frozen: String(frozen) }]),
  /**
   * Stops producing blocks, or resumes it.
   *
   * @param {boolean} isHeld
   */
  hold: (isHeld) => call('devnet_hold', [isHeld]),
}

/**
 * Returns an unused address, so that its balance comes from the journey only.
 *
 * @param {number} [prefix] of the network that it is written for (SS58)
 */
export function freshPolkadotAddress(prefix = 0) {
  return encodeAddress(randomBytes(32), prefix)
}

/**
 * @param {string} method
 * @param {unknown[]} params
 */
async function call(method, params) {
  const response = await fetch(dotChain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(5_000),
  })
  const { result, error } = await response.json()
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}
