import { fileURLToPath } from 'node:url'
import { cryptoWaitReady } from '@polkadot/util-crypto'
import { startNode } from '../node.mjs'
import { deriveAccounts } from './keys.mjs'
import { caip2, existentialDeposit, genesisHash } from './runtime.mjs'

const main = fileURLToPath(new URL('main.mjs', import.meta.url))

/**
 * Description of the local Polkadot chain for its clients.
 * @typedef {object} PolkadotManifest
 * @property {string} caip2 chain id by CAIP-2
 * @property {string} name
 * @property {string} genesisHash
 * @property {string} rpcUrl
 * @property {{ name: string, symbol: string, decimals: number }} nativeCurrency
 * @property {string} existentialDeposit plancks below which an account does not exist
 * @property {import('./keys.mjs').PolkadotAccount[]} accounts funded; keys are of each kind in turn
 */

/**
 * Starts the local Polkadot chain, always from its first block.
 *
 * @param {object} options
 * @param {string} options.home directory for the log
 * @param {number} options.port 0 lets the system choose
 * @returns {Promise<{ child: import('../child.mjs').Child, polkadot: PolkadotManifest }>}
 * @throws {Error} when it does not start, as when its port is taken
 */
export async function startPolkadot({ home, port }) {
  await cryptoWaitReady()
  const { url, child } = await startNode({
    name: 'Polkadot chain',
    log: 'polkadot.log',
    home,
    args: [main, '--port', String(port)],
  })
  return {
    child,
    polkadot: {
      caip2,
      name: 'Polkadot Local',
      genesisHash,
      rpcUrl: url,
      nativeCurrency: { name: 'Polkadot', symbol: 'DOT', decimals: 10 },
      existentialDeposit: existentialDeposit.toString(),
      accounts: deriveAccounts(),
    },
  }
}
