import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nameSigner } from './accounts.mjs'
import { regtest } from './bitcoin/start.mjs'
import { startChild } from './child.mjs'
import { startDevnet } from './devnet.mjs'
import { pointEnsAt } from './ens.mjs'
import { startPage } from './pageServer.mjs'
import { repository } from './paths.mjs'

/**
 * The running stack: local chains, demo page, gateway.
 * @typedef {object} Stack
 * @property {string} gatewayUrl
 * @property {string} demoUrl
 * @property {string} frameOrigin of the embedded wallet's pages
 * @property {import('./manifest.mjs').Manifest} devnet
 * @property {Promise<Error>} failed resolves when a part ends on its own, with the end of its output
 * @property {() => Promise<void>} stop
 */

/** How long a part may take from its start to its first successful response, in milliseconds. */
const patience = 60_000

const hawser = join(repository, '.tmp', 'bin', 'hawser')

/** Output directory of the demo page. */
const builtPage = join(repository, 'apps', 'demo', 'dist')

/**
 * Starts everything that the demo page needs, and returns once the gateway reports healthy.
 *
 * @param {object} options
 * @param {import('./ports.mjs').Ports} options.ports on which nothing listens yet
 * @param {string} options.home directory for state and logs
 * @param {string} options.config configuration file of the gateway
 * @param {boolean} [options.onlyEvm] leaves out the networks of other namespaces; the gateway then has no nodes but those of the local EVM chains
 * @param {(line: string) => void} [options.tell] receives messages for the developer
 * @param {AbortSignal} [options.signal] gives up the start
 * @returns {Promise<Stack>}
 * @throws {Error} when a part does not start; then nothing is left running
 */
export async function startStack({ ports, home, config, onlyEvm = false, tell = () => {}, signal }) {
  assertBuilt(config)

  /** @type {(() => Promise<void>)[]} */
  const stops = []
  const ended = new AbortController()
  const stop = async () => {
    ended.abort()
    await Promise.all(stops.map((stopOne) => stopOne()))
  }
  try {
    const gatewayUrl = `http://localhost:${ports.gateway.number}`
    const demoUrl = `http://localhost:${ports.demo.number}`
    const frameOrigin = `http://wallet.localhost:${ports.frame.number}`

    tell('Starting the local chains')
    const devnet = await startDevnet({
      directory: home,
      ports: [ports.devnet.number, ports.devnetTwo.number],
      solanaPort: ports.solana.number,
      polkadotPort: ports.polkadot.number,
      bitcoinPort: ports.bitcoin.number,
      solana: !onlyEvm,
      polkadot: !onlyEvm,
      bitcoin: !onlyEvm,
      tell,
    })
    stops.push(devnet.stop)
    await Promise.all(devnet.chains.map((chain) => pointEnsAt(chain, gatewayUrl)))

    tell('Starting the demo page and the gateway')
    const page = await startPage({
      directory: builtPage,
      port: ports.demo.number,
      environment: {
        ...process.env,
        HAWSER_GATEWAY_URL: gatewayUrl,
        HAWSER_FRAME_ORIGIN: frameOrigin,
        HAWSER_DATA_DIR: home,
      },
    })
    stops.push(page.stop)
    const gateway = startGateway({ ports, config, home, onlyEvm })
    stops.push(gateway.stop)

    const children = [...devnet.children, gateway]
    const failed = Promise.race(children.map(describeEnd))
    const waiting = AbortSignal.any([ended.signal, ...(signal ? [signal] : [])])
    const ready = answers(`${gatewayUrl}/health`, waiting)
    const failure = await Promise.race([ready.then(() => undefined), failed])
    if (failure) throw failure

    return { gatewayUrl, demoUrl, frameOrigin, devnet: devnet.manifest, failed, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** @param {string} config */
function assertBuilt(config) {
  for (const file of [hawser, regtest, join(builtPage, 'index.html')]) {
    if (!existsSync(file)) throw new Error(`${file} is missing: run make build first.`)
  }
  if (!existsSync(config)) throw new Error(`The configuration ${config} does not exist: see HAWSER_CONFIG.`)
}

/** @param {{ ports: import('./ports.mjs').Ports, config: string, home: string, onlyEvm: boolean }} options */
function startGateway({ ports, config, home, onlyEvm }) {
  return startChild({
    name: 'gateway',
    command: hawser,
    args: [],
    cwd: repository,
    env: {
      HAWSER_CONFIG: config,
      HAWSER_DATA_DIR: home,
      HAWSER_LISTEN_GATEWAY: `:${ports.gateway.number}`,
      HAWSER_LISTEN_RELAY: `:${ports.relay.number}`,
      HAWSER_LISTEN_FRAME: `:${ports.frame.number}`,
      HAWSER_LISTEN_METRICS: `127.0.0.1:${ports.metrics.number}`,
      HAWSER_CHAINS_DEVNET_FILE: join(home, 'devnet.json'),
      // Where browsers find the sandbox's checkout, and its webhooks the gateway.
      HAWSER_PUBLIC_URL: `http://localhost:${ports.gateway.number}`,
      // The name resolver of the local chain accepts answers with this signature.
      HAWSER_NAMES_ENS_KEYS: JSON.stringify([nameSigner.privateKey]),
      // The development configuration finds the nodes of the local chains by these.
      HAWSER_DEVNET_PORT: String(ports.devnet.number),
      HAWSER_DEVNET_TWO_PORT: String(ports.devnetTwo.number),
      HAWSER_DEVNET_SVM_PORT: String(ports.solana.number),
      HAWSER_DEVNET_POLKADOT_PORT: String(ports.polkadot.number),
      HAWSER_DEVNET_BITCOIN_PORT: String(ports.bitcoin.number),
      ...(onlyEvm && { HAWSER_CHAINS_NODES: evmNodes(ports) }),
    },
    log: join(home, 'log', 'hawser.log'),
  })
}

/**
 * Returns the setting `chains.nodes` with the local EVM chains only.
 *
 * @param {import('./ports.mjs').Ports} ports
 */
function evmNodes(ports) {
  const url = (/** @type {number} */ port) => `http://127.0.0.1:${port}`
  return JSON.stringify({
    'eip155:31337': [url(ports.devnet.number)],
    'eip155:31338': [url(ports.devnetTwo.number)],
  })
}

/**
 * @param {import('./child.mjs').Child} child
 * @returns {Promise<Error>}
 */
async function describeEnd(child) {
  const status = await child.ended
  return new Error(
    [`The ${child.name} ended with status ${status}. It said last:`, ...child.lastLines()].join('\n  '),
  )
}

/**
 * Waits for a good answer.
 *
 * @param {string} url
 * @param {AbortSignal} signal gives up
 * @throws {Error} when there is none in time
 */
async function answers(url, signal) {
  const deadline = Date.now() + patience
  let last = 'nothing listens there'
  while (Date.now() < deadline) {
    signal.throwIfAborted()
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
      if (response.ok) return
      last = `it answers ${response.status}`
    } catch {
      last = 'it does not answer'
    }
    await sleep(100)
  }
  throw new Error(`${url} is not ready after ${patience / 1000} s: ${last}`)
}
