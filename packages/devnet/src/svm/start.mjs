import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startNode } from '../node.mjs'
import { describeSolana } from './manifest.mjs'

const main = fileURLToPath(new URL('main.mjs', import.meta.url))

/**
 * Starts the local Solana chain.
 *
 * @param {object} options
 * @param {string} options.home directory for the log and the state
 * @param {boolean} options.keep whether to continue from the state of an earlier run, and to save it
 * @param {number} options.port 0 lets the system choose
 * @param {(line: string) => void} options.tell receives messages for the developer
 * @returns {Promise<{ child: import('../child.mjs').Child, solana: import('./manifest.mjs').SolanaManifest }>}
 * @throws {Error} when it does not start, as when its port is taken
 */
export async function startSolana({ home, keep, port, tell }) {
  const state = keep ? join(home, 'devnet', 'solana.json') : undefined
  const node = await run({ port, home, state }).catch((error) => {
    if (!state || !existsSync(state) || !/JSON|bytes|deserialize/i.test(error.message)) throw error
    renameSync(state, `${state}.old`)
    tell(`The kept state of the Solana chain is damaged: starting it fresh, the old file is ${state}.old.`)
    return run({ port, home, state })
  })
  return { child: node.child, solana: describeSolana(node.url) }
}

/** @param {{ port: number, home: string, state: string | undefined }} options */
function run({ port, home, state }) {
  const args = [main, '--port', String(port), ...(state ? ['--state', state] : [])]
  return startNode({ name: 'Solana chain', home, log: 'solana.log', args })
}
