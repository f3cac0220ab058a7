import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startNode } from '../node.mjs'
import { repository } from '../paths.mjs'
import { describeBitcoin, funds } from './manifest.mjs'

/** The node, which `make build` makes of `services/bitcoin/bitcointest/regtest`. */
export const regtest = join(repository, '.tmp', 'bin', 'regtest')

/**
 * Starts the local Bitcoin network.
 *
 * @param {object} options
 * @param {string} options.home directory for the log and the blocks
 * @param {boolean} options.keep whether to continue the network of an earlier run, and to keep this one
 * @param {number} options.port 0 lets the system choose
 * @param {(line: string) => void} options.tell receives messages for the developer
 * @returns {Promise<{ child: import('../child.mjs').Child, bitcoin: import('./manifest.mjs').BitcoinManifest }>}
 * @throws {Error} when it does not start, as when its port is taken
 */
export async function startBitcoin({ home, keep, port, tell }) {
  const kept = keep ? join(home, 'devnet', 'bitcoin') : undefined
  const args = ['-listen', `127.0.0.1:${port}`, ...(kept ? ['-dir', kept] : [])]
  const run = () => startNode({ name: 'Bitcoin network', home, log: 'bitcoin.log', command: regtest, args })
  const node = await run().catch((error) => {
    if (!kept || !existsSync(kept) || /address already in use/.test(error.message)) throw error
    rmSync(`${kept}.old`, { recursive: true, force: true })
    renameSync(kept, `${kept}.old`)
    tell(`The kept Bitcoin network is damaged: starting it fresh, the old files are in ${kept}.old.`)
    return run()
  })
  try {
    await fund(node.url)
  } catch (error) {
    await node.child.stop()
    throw error
  }
  return { child: node.child, bitcoin: describeBitcoin(node.url) }
}

/**
 * Pays the accounts of a new network, each in a block of its own.
 *
 * @param {string} url
 */
async function fund(url) {
  const [[first] = ['']] = funds
  const { chain_stats: stats } = await (await request(`${url}/address/${first}`)).json()
  if (stats.funded_txo_count > 0) return
  for (const [address, satoshis] of funds) {
    await request(`${url}/dev/fund?address=${address}&satoshis=${satoshis}`, 'POST')
  }
}

/**
 * @param {string} url
 * @param {'GET' | 'POST'} [method]
 */
async function request(url, method = 'GET') {
  const response = await fetch(url, { method, signal: AbortSignal.timeout(10_000) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return response
}
