import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageDirectory, stateDirectory } from './paths.mjs'

/**
 * Fresh chains with their contracts on them, kept on disk.
 * @typedef {object} Snapshot
 * @property {import('./manifest.mjs').Manifest} manifest the URLs in it lead nowhere
 * @property {Record<number, string>} fingerprints of the deployments, by chain id
 * @property {(chainId: number) => string} stateFile path of a chain's state, in the form that anvil loads
 */

/** The description beside the states. */
const description = 'snapshot.json'

/**
 * Reads the snapshot of this version of the package; builds it first when there is none. To build it takes ten times as much as to load it:
 * hundreds of transactions are signed and executed.
 *
 * @returns {Promise<Snapshot>}
 * @throws {Error} when a contract does not compile, or a transaction reverts
 */
export async function openSnapshot() {
  const cache = join(stateDirectory, 'cache')
  const name = `devnet-${hashSources()}`
  const directory = join(cache, name)
  if (!existsSync(directory)) await build(cache, name)
  const { manifest, fingerprints } = JSON.parse(readFileSync(join(directory, description), 'utf8'))
  return { manifest, fingerprints, stateFile: (chainId) => join(directory, `${chainId}.json`) }
}

/** Returns a hash of all that the chains are made from. */
function hashSources() {
  const hash = createHash('sha256')
  hash.update(readFileSync(join(packageDirectory, 'package.json')))
  for (const folder of ['contracts', 'src']) {
    const files = readdirSync(join(packageDirectory, folder)).filter((file) => /\.(mjs|sol)$/.test(file))
    for (const file of files.sort()) {
      hash.update(`\n${file}\n`).update(readFileSync(join(packageDirectory, folder, file)))
    }
  }
  return hash.digest('hex').slice(0, 16)
}

/**
 * Builds a snapshot, and removes those of other versions.
 *
 * @param {string} cache
 * @param {string} name
 */
async function build(cache, name) {
  // Imported here: what signs and encodes takes a second of CPU time to load.
  const { buildChains } = await import('./genesis.mjs')
  const { manifest, fingerprints, states } = await buildChains()

  const draft = join(cache, `${name}.${process.pid}`)
  mkdirSync(draft, { recursive: true })
  for (const [chainId, state] of states) writeFileSync(join(draft, `${chainId}.json`), state)
  writeFileSync(join(draft, description), JSON.stringify({ manifest, fingerprints }))
  try {
    renameSync(draft, join(cache, name))
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(join(cache, name))) throw error // otherwise another process has built the same
  }
  const others = readdirSync(cache).filter((file) => /^devnet-[0-9a-f]{16}$/.test(file) && file !== name)
  for (const other of others) rmSync(join(cache, other), { recursive: true, force: true })
}
