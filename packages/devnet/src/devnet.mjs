import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AnvilEnded, startAnvil } from './anvil.mjs'
import { chainPlans } from './chains.mjs'
import { compileContracts } from './compile.mjs'
import { deploy, planDeployment } from './deploy.mjs'
import { writeAtomically } from './files.mjs'
import { describeChain, describeDevnet } from './manifest.mjs'
import { uniswapContracts } from './uniswap.mjs'

/**
 * Running local chains.
 * @typedef {object} Devnet
 * @property {import('./manifest.mjs').Manifest} manifest
 * @property {import('./manifest.mjs').ChainManifest[]} chains the same as in the manifest
 * @property {import('./child.mjs').Child[]} children one per chain
 * @property {() => Promise<void>} stop keeps the chains' state, if they have a directory of their own
 */

/**
 * Starts the local chains with their contracts on them.
 *
 * With a directory the chains continue where they stopped, and `devnet.json` in it describes them.
 * Without one they are throw-away: fresh, and gone after stop.
 *
 * @param {object} [options]
 * @param {string} [options.directory]
 * @param {number[]} [options.ports] one per chain; 0 lets the system choose, and is the default
 * @param {number[]} [options.chainIds] only these chains; all by default
 * @param {(line: string) => void} [options.tell] hears what a person should know
 * @returns {Promise<Devnet>}
 * @throws {AnvilEnded} when a node does not start, as when its port is taken
 */
export async function startDevnet({ directory, ports = [], chainIds, tell = () => {} } = {}) {
  const home = directory ?? mkdtempSync(join(tmpdir(), 'hawser-devnet-'))
  const artifacts = { ...uniswapContracts(), ...compileContracts() }
  const plans = chainPlans.filter((plan) => chainIds?.includes(plan.chainId) ?? true)

  const starts = await Promise.allSettled(
    plans.map((plan, index) =>
      startChain({ plan, artifacts, home, keep: directory !== undefined, port: ports[index] ?? 0, tell }),
    ),
  )
  const started = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))

  const stop = async () => {
    await Promise.all(started.map(({ child }) => child.stop()))
    if (!directory) rmSync(home, { recursive: true, force: true })
  }
  const failed = starts.find((start) => start.status === 'rejected')
  if (failed) {
    await stop()
    throw failed.reason
  }

  const chains = started.map(({ chain }) => chain)
  const manifest = describeDevnet(chains)
  writeAtomically(join(home, 'devnet.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  return { manifest, chains, children: started.map(({ child }) => child), stop }
}

/**
 * @param {object} options
 * @param {import('./chains.mjs').ChainPlan} options.plan
 * @param {Record<string, import('./compile.mjs').Artifact>} options.artifacts
 * @param {string} options.home
 * @param {boolean} options.keep
 * @param {number} options.port
 * @param {(line: string) => void} options.tell
 */
async function startChain({ plan, artifacts, home, keep, port, tell }) {
  const { chainId } = plan
  const deployment = planDeployment(plan, artifacts)
  const log = join(home, 'log', `anvil-${chainId}.log`)
  const state = keep ? openState(join(home, 'devnet'), chainId, deployment.fingerprint, tell) : undefined

  const node = await startAnvil({ chainId, port, log, ...(state && { state }) }).catch((error) => {
    if (!state || !(error instanceof AnvilEnded && error.aboutState)) throw error
    setAside(state)
    tell(`The kept state of chain ${chainId} is damaged: starting it fresh, the old file is ${state}.old.`)
    return startAnvil({ chainId, port, log, state })
  })
  try {
    await deploy(node.url, chainId, deployment)
  } catch (error) {
    await node.child.stop()
    throw error
  }
  return { child: node.child, chain: describeChain(plan, node.url, deployment) }
}

/**
 * Finds the file that keeps a chain's state. State that was built by other contracts is set aside:
 * the addresses in it would not be those of the plan.
 *
 * @param {string} directory
 * @param {number} chainId
 * @param {string} fingerprint of the deployment
 * @param {(line: string) => void} tell
 */
function openState(directory, chainId, fingerprint, tell) {
  mkdirSync(directory, { recursive: true })
  const state = join(directory, `${chainId}.json`)
  const marker = join(directory, `${chainId}.fingerprint`)
  if (existsSync(state) && (!existsSync(marker) || readFileSync(marker, 'utf8') !== fingerprint)) {
    setAside(state)
    tell(
      `The contracts of chain ${chainId} have changed: starting it fresh, the old state is in ${state}.old.`,
    )
  }
  writeAtomically(marker, fingerprint)
  return state
}

/** @param {string} state */
function setAside(state) {
  renameSync(state, `${state}.old`)
}
