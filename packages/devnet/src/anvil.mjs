import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { startChild } from './child.mjs'
import { writeAtomically } from './files.mjs'
import { mnemonic } from './mnemonic.mjs'
import { rpc } from './rpc.mjs'

/**
 * A running anvil node.
 * @typedef {object} Node
 * @property {string} url HTTP and, with ws:, WebSocket
 * @property {import('./child.mjs').Child} child
 */

/** Number of newest blocks whose state is kept in memory: far more than any reorg removes. */
const statesKept = 256

/** Forks of chains that are not on the newest one, by chain id: accounts of the second local chain cannot delegate (EIP-7702), as those of some public chains. */
const forks = /** @type {Record<number, string>} */ ({ 31338: 'cancun' })

/**
 * Starts a node that mines each transaction at once.
 *
 * @param {object} options
 * @param {number} options.chainId
 * @param {number} options.port 0 lets the system choose
 * @param {string} options.log
 * @param {string} [options.state] file to continue from and to keep the chain in
 * @param {string} [options.load] file to start from, which stays as it is
 * @returns {Promise<Node>} once the node accepts calls
 * @throws {AnvilEnded} when it ends instead
 */
export async function startAnvil({ chainId, port, log, state, load }) {
  const args = ['--chain-id', String(chainId), '--port', String(port), '--mnemonic', mnemonic]
  // The state at older blocks would go to the home folder's disk, gigabytes of it an hour, and stay there.
  args.push('--prune-history', String(statesKept))
  // Blocks, receipts and logs are kept. The state at past blocks is not: 1,500 blocks of it take 170 MB and 10 s to load.
  if (state) args.push('--state', state, '--state-interval', '5')
  const fork = forks[chainId]
  if (fork) args.push('--hardfork', fork)
  if (load) args.push('--load-state', load)
  const child = startChild({ name: `node of chain ${chainId}`, command: binary(), args, log })

  /** @type {Promise<string>} */
  const listening = new Promise((resolve) => {
    child.onLine((line) => {
      const address = /^Listening on (\S+)/.exec(line)?.[1]
      if (address) resolve(`http://${address}`)
    })
  })
  const ended = child.ended.then(() => {
    throw new AnvilEnded(chainId, child.lastLines())
  })
  const url = await Promise.race([listening, ended])
  ended.catch(() => {}) // from here on the owner of the node watches child.ended
  return { url, child: state ? keepState(child, url, state) : child }
}

/**
 * Returns a node that keeps its chain whenever it is stopped. Anvil alone does not in the first milliseconds: it accepts calls
 * before it handles SIGTERM.
 *
 * @param {import('./child.mjs').Child} child
 * @param {string} url
 * @param {string} file
 * @returns {import('./child.mjs').Child}
 */
function keepState(child, url, file) {
  return {
    ...child,
    async stop() {
      const state = await dumpState(url).catch(() => undefined) // it has ended, or does not answer
      await child.stop()
      if (state && (await child.ended) !== 0) writeAtomically(file, state)
    },
  }
}

/**
 * Returns a chain in the form that anvil loads.
 *
 * @param {string} url
 */
export async function dumpState(url) {
  const dump = String(await rpc(url, 'anvil_dumpState'))
  return gunzipSync(Buffer.from(dump.slice(2), 'hex'))
}

/** Anvil ended before it accepted calls: a taken port, a state file it cannot read. */
export class AnvilEnded extends Error {
  /**
   * @param {number} chainId
   * @param {string[]} lines the end of its output
   */
  constructor(chainId, lines) {
    const reason = lines.find((line) => /^error/i.test(line)) ?? lines.at(-1) ?? 'it said nothing'
    super(`the node of chain ${chainId} did not start: ${reason}`)
    this.name = 'AnvilEnded'
    this.aboutState = /--state/.test(reason)
  }
}

/**
 * Returns the path of the binary itself, not of npm's launcher in Node: one process less, and signals arrive
 * directly.
 */
function binary() {
  const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}`
  const launcher = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
  return join(dirname(createRequire(launcher).resolve(`${name}/package.json`)), 'bin', 'anvil')
}
