import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { writeAtomically } from './files.mjs'
import { contractsDirectory, stateDirectory } from './paths.mjs'

/**
 * A compiled contract.
 * @typedef {object} Artifact
 * @property {import('viem').Abi} abi
 * @property {`0x${string}`} bytecode creation code
 */

const settings = {
  optimizer: { enabled: true, runs: 200 },
  evmVersion: 'paris',
  metadata: { bytecodeHash: 'none' },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
}

/**
 * Compiles every contract of the local chains. The result is kept under the hash of the sources, so
 * that only the first start and a changed source pay for the compiler.
 *
 * @returns {Record<string, Artifact>} by contract name
 * @throws {Error} with solc's messages when a source does not compile
 */
export function compileContracts() {
  const sources = readSources()
  const version = createRequire(import.meta.url)('solc/package.json').version
  const hash = createHash('sha256').update(JSON.stringify({ version, settings, sources })).digest('hex')
  const cached = join(stateDirectory, 'cache', `contracts-${hash.slice(0, 16)}.json`)

  const known = readCache(cached)
  if (known) return known

  const artifacts = compile(sources)
  writeAtomically(cached, JSON.stringify(artifacts))
  return artifacts
}

/** @returns {Record<string, { content: string }>} */
function readSources() {
  const names = readdirSync(contractsDirectory).filter((name) => name.endsWith('.sol'))
  return Object.fromEntries(
    names.sort().map((name) => [name, { content: readFileSync(join(contractsDirectory, name), 'utf8') }]),
  )
}

/**
 * @param {string} path
 * @returns {Record<string, Artifact> | undefined}
 */
function readCache(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined // absent or damaged: compile again
  }
}

/**
 * @param {Record<string, { content: string }>} sources
 * @returns {Record<string, Artifact>}
 */
function compile(sources) {
  // Required here, not imported above: solc is 9 MB of WebAssembly that a warm start never needs.
  const solc = createRequire(import.meta.url)('solc')
  const output = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })))

  /** @type {{ severity: string, formattedMessage: string }[]} */
  const messages = output.errors ?? []
  const errors = messages.filter((message) => message.severity === 'error')
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))

  /** @type {Record<string, Artifact>} */
  const artifacts = {}
  for (const contracts of Object.values(output.contracts)) {
    for (const [name, contract] of Object.entries(contracts)) {
      artifacts[name] = { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` }
    }
  }
  return artifacts
}
