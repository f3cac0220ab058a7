import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AnvilEnded, startAnvil } from './anvil.mjs'
import { startBitcoin } from './bitcoin/start.mjs'
import { writeAtomically } from './files.mjs'
import { rpc } from './rpc.mjs'
import { openSnapshot } from './snapshot.mjs'
import { startSolana } from './svm/start.mjs'

/**
 * Running local chains.
 * @typedef {object} Devnet
 * @property {import('./manifest.mjs').Manifest} manifest
 * @property {import('./manifest.mjs').ChainManifest[]} chains the same as in the manifest
 * @property {import('./child.mjs').Child[]} children one per chain or network
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
 * @param {number} [options.solanaPort] 0 lets the system choose, and is the default
 * @param {number} [options.polkadotPort] 0 lets the system choose, and is the default
 * @param {number} [options.bitcoinPort] 0 lets the system choose, and is the default
 * @param {number[]} [options.chainIds] only these EVM chains; all by default
 * @param {boolean} [options.solana] whether to start the Solana chain; by default only when `chainIds` is absent
 * @param {boolean} [options.polkadot] whether to start the Polkadot chain; by default only when `chainIds` is absent
 * @param {boolean} [options.bitcoin] whether to start the Bitcoin network, which has to be built (`make build`); not by default
 * @param {(line: string) => void} [options.tell] receives messages for the developer
 * @returns {Promise<Devnet>}
 * @throws {AnvilEnded} when a node does not start, as when its port is taken
 */
export async function startDevnet({
  directory,
  ports = [],
  solanaPort = 0,
  polkadotPort = 0,
  bitcoinPort = 0,
  chainIds,
  solana: withSolana = chainIds === undefined,
  polkadot: withPolkadot = chainIds === undefined,
  bitcoin: withBitcoin = false,
  tell = () => {},
} = {}) {
  const home = directory ?? mkdtempSync(join(tmpdir(), 'hawser-devnet-'))
  const snapshot = await openSnapshot()
  const wanted = snapshot.manifest.chains.filter(({ chainId }) => chainIds?.includes(chainId) ?? true)

  const keep = directory !== undefined
  const [starts, solanaStarts, polkadotStarts, bitcoinStarts] = await Promise.all([
    Promise.allSettled(
      wanted.map((chain, index) =>
        startChain({ chain, snapshot, home, keep, port: ports[index] ?? 0, tell }),
      ),
    ),
    Promise.allSettled(withSolana ? [startSolana({ home, keep, port: solanaPort, tell })] : []),
    Promise.allSettled(withPolkadot ? [startPolkadot({ home, port: polkadotPort })] : []),
    Promise.allSettled(withBitcoin ? [startBitcoin({ home, keep, port: bitcoinPort, tell })] : []),
  ])
  const started = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const solana = solanaStarts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const polkadot = polkadotStarts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const bitcoin = bitcoinStarts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const children = [...started, ...solana, ...polkadot, ...bitcoin].map(({ child }) => child)

  const stop = async () => {
    await Promise.all(children.map((child) => child.stop()))
    if (!directory) rmSync(home, { recursive: true, force: true })
  }
  const failed = [...starts, ...solanaStarts, ...polkadotStarts, ...bitcoinStarts].find(
    (start) => start.status === 'rejected',
  )
  if (failed) {
    await stop()
    throw failed.reason
  }

  const chains = started.map(({ chain }) => chain)
  const manifest = {
    ...snapshot.manifest,
    chains,
    ...(solana[0] && { solana: solana[0].solana }),
    ...(polkadot[0] && { polkadot: polkadot[0].polkadot }),
    ...(bitcoin[0] && { bitcoin: bitcoin[0].bitcoin }),
  }
  writeAtomically(join(home, 'devnet.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  return { manifest, chains, children, stop }
}

/**
 * Starts the Polkadot chain; the libraries that it needs are loaded for it alone.
 *
 * @param {{ home: string, port: number }} options
 */
async function startPolkadot(options) {
  const polkadot = await import('./polkadot/start.mjs')
  return polkadot.startPolkadot(options)
}

/**
 * @param {object} options
 * @param {import('./manifest.mjs').ChainManifest} options.chain as the snapshot describes it
 * @param {import('./snapshot.mjs').Snapshot} options.snapshot
 * @param {string} options.home
 * @param {boolean} options.keep
 * @param {number} options.port
 * @param {(line: string) => void} options.tell
 */
async function startChain({ chain, snapshot, home, keep, port, tell }) {
  const { chainId } = chain
  const log = join(home, 'log', `anvil-${chainId}.log`)
  const fresh = snapshot.stateFile(chainId)
  const state = keep
    ? openState(join(home, 'devnet'), chainId, snapshot.fingerprints[chainId] ?? '', tell)
    : undefined
  let continues = state !== undefined && existsSync(state)
  if (state && !continues) copyFile(fresh, state)

  const node = await startAnvil({ chainId, port, log, ...(state ? { state } : { load: fresh }) }).catch(
    (error) => {
      if (!state || !(error instanceof AnvilEnded && error.aboutState)) throw error
      setAside(state)
      tell(`The kept state of chain ${chainId} is damaged: starting it fresh, the old file is ${state}.old.`)
      copyFile(fresh, state)
      continues = false
      return startAnvil({ chainId, port, log, state })
    },
  )
  // Prices are as old as the newest block.
  if (!continues) await rpc(node.url, 'evm_mine')
  return {
    child: node.child,
    chain: { ...chain, rpcUrl: node.url, wsUrl: node.url.replace(/^http/, 'ws') },
  }
}

/**
 * Finds the file that keeps a chain's state; absent for a new chain. State that was built by other contracts is set aside:
 * the addresses in it would not be those of the manifest.
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

/**
 * Copies a file so that a reader finds all of it or nothing.
 *
 * @param {string} from
 * @param {string} to
 */
function copyFile(from, to) {
  copyFileSync(from, `${to}.draft`)
  renameSync(`${to}.draft`, to)
}
