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
 * The running stack: local chains, demo page, gateway, and the servers that replace external services.
 * @typedef {object} Stack
 * @property {string} gatewayUrl
 * @property {string} demoUrl
 * @property {string} frameOrigin of the embedded wallet's pages
 * @property {string} consoleUrl of the operator's console
 * @property {string} devServersUrl of the inbox and the other servers of hawser-dev
 * @property {import('./manifest.mjs').Manifest} devnet
 * @property {Promise<Error>} failed resolves when a part ends on its own, with the end of its output
 * @property {() => Promise<void>} stop
 */

/** How long a part may take from its start to its first successful response, in milliseconds. */
const patience = 60_000

const hawser = join(repository, '.tmp', 'bin', 'hawser')
const hawserDev = join(repository, '.tmp', 'bin', 'hawser-dev')

/** Output directory of the demo page. */
const builtPage = join(repository, 'apps', 'demo', 'dist')

/**
 * Starts everything that the demo page needs, and returns once the gateway reports healthy.
 *
 * @param {object} options
 * @param {import('./ports.mjs').Ports} options.ports on which nothing listens yet
 * @param {string} options.home directory for state and logs
 * @param {string} options.config configuration file of the gateway
 * @param {string} options.devConfig configuration file of hawser-dev
 * @param {boolean} [options.onlyEvm] leaves out the networks of other namespaces; the gateway then has no nodes but those of the local EVM chains
 * @param {(line: string) => void} [options.tell] receives messages for the developer
 * @param {AbortSignal} [options.signal] gives up the start
 * @returns {Promise<Stack>}
 * @throws {Error} when a part does not start; then nothing is left running
 */
export async function startStack({
  ports,
  home,
  config,
  devConfig,
  onlyEvm = false,
  tell = () => {},
  signal,
}) {
  assertBuilt(config, devConfig)

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
    const consoleUrl = `http://localhost:${ports.console.number}`
    const devServersUrl = `http://localhost:${ports.dev.number}`

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
        HAWSER_DEV_PUBLIC_URL: devServersUrl,
        HAWSER_DATA_DIR: home,
      },
    })
    stops.push(page.stop)
    const devServers = startDevServers({ ports, config: devConfig, home, onlyEvm })
    stops.push(devServers.stop)
    const gateway = startGateway({ ports, config, home, onlyEvm })
    stops.push(gateway.stop)

    const children = [...devnet.children, devServers, gateway]
    const failed = Promise.race(children.map(describeEnd))
    const waiting = AbortSignal.any([ended.signal, ...(signal ? [signal] : [])])
    const ready = [`${gatewayUrl}/health`, `${devServersUrl}/ready`].map((url) => answers(url, waiting))
    const failure = await Promise.race([Promise.all(ready).then(() => undefined), failed])
    if (failure) throw failure

    return {
      gatewayUrl,
      demoUrl,
      frameOrigin,
      consoleUrl,
      devServersUrl,
      devnet: devnet.manifest,
      failed,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** @param {string[]} configs */
function assertBuilt(...configs) {
  for (const file of [hawser, hawserDev, regtest, join(builtPage, 'index.html')]) {
    if (!existsSync(file)) throw new Error(`${file} is missing: run make build first.`)
  }
  for (const config of configs) {
    if (!existsSync(config)) {
      throw new Error(`The configuration ${config} does not exist: see HAWSER_CONFIG and HAWSER_DEV_CONFIG.`)
    }
  }
}

/**
 * Variables of `make up` and of the tests, which the gateway would take for mistyped settings.
 */
const noSetting =
  /^HAWSER_((GATEWAY|RELAY|FRAME|DEMO|CONSOLE|METRICS)_PORT|LANE.*|E2E_.*|CHROMIUM|FIREFOX|CLICK_ROUNDS|INTERLEAVINGS|GATEWAY_URL|URL|PROJECT_ID|BINARY|KILLS)$/

/** @param {{ ports: import('./ports.mjs').Ports, config: string, home: string, onlyEvm: boolean }} options */
function startGateway({ ports, config, home, onlyEvm }) {
  return startChild({
    name: 'gateway',
    command: hawser,
    args: [],
    cwd: repository,
    env: {
      ...Object.fromEntries(
        Object.keys(process.env)
          .filter((name) => noSetting.test(name))
          .map((name) => [name, undefined]),
      ),
      HAWSER_CONFIG: config,
      HAWSER_DATA_DIR: home,
      HAWSER_LISTEN_GATEWAY: `:${ports.gateway.number}`,
      HAWSER_LISTEN_RELAY: `:${ports.relay.number}`,
      HAWSER_LISTEN_FRAME: `:${ports.frame.number}`,
      HAWSER_LISTEN_CONSOLE: `127.0.0.1:${ports.console.number}`,
      HAWSER_LISTEN_METRICS: `127.0.0.1:${ports.metrics.number}`,
      HAWSER_CHAINS_DEVNET_FILE: join(home, 'devnet.json'),
      // Where the webhooks of on-ramp providers find the gateway.
      HAWSER_PUBLIC_URL: `http://localhost:${ports.gateway.number}`,
      // The name resolver of the local chain accepts answers with this signature.
      HAWSER_NAMES_ENS_KEYS: JSON.stringify([nameSigner.privateKey]),
      ...devServersOf(ports),
      ...nodePorts(ports),
      ...(onlyEvm && { HAWSER_CHAINS_NODES: evmNodes(ports) }),
    },
    log: join(home, 'log', 'hawser.log'),
  })
}

/**
 * Returns the settings by which the gateway finds the servers of hawser-dev.
 *
 * @param {import('./ports.mjs').Ports} ports
 */
function devServersOf(ports) {
  const url = `http://localhost:${ports.dev.number}`
  const providers = ['google', 'x', 'discord', 'github', 'apple', 'facebook'].map((name) => [
    `HAWSER_WALLET_SOCIAL_${name.toUpperCase()}_ADDRESS`,
    `${url}/identity/${name}`,
  ])
  return {
    HAWSER_ONRAMP_SELLERS: `127.0.0.1:${ports.sellers.number}`,
    HAWSER_WALLET_MAIL_PORT: String(ports.mails.number),
    HAWSER_WALLET_FARCASTER_RELAY: `${url}/farcaster`,
    HAWSER_CONSOLE_OIDC_ISSUER: `${url}/identity/staff`,
    ...Object.fromEntries(providers),
  }
}

/** @param {{ ports: import('./ports.mjs').Ports, config: string, home: string, onlyEvm: boolean }} options */
function startDevServers({ ports, config, home, onlyEvm }) {
  return startChild({
    name: 'hawser-dev',
    command: hawserDev,
    args: [],
    cwd: repository,
    env: {
      HAWSER_DEV_CONFIG: config,
      HAWSER_DEV_DATA_DIR: join(home, 'dev-servers'),
      HAWSER_DEV_LISTEN_HTTP: `127.0.0.1:${ports.dev.number}`,
      HAWSER_DEV_LISTEN_GRPC: `127.0.0.1:${ports.sellers.number}`,
      HAWSER_DEV_LISTEN_SMTP: `127.0.0.1:${ports.mails.number}`,
      HAWSER_DEV_PUBLIC_URL: `http://localhost:${ports.dev.number}`,
      HAWSER_DEV_SUITE_GATEWAY: `http://localhost:${ports.gateway.number}`,
      HAWSER_DEV_SUITE_CONSOLE: `http://localhost:${ports.console.number}`,
      HAWSER_DEV_SUITE_FRAME: `http://wallet.localhost:${ports.frame.number}`,
      HAWSER_DEV_CHAINS_DEVNET_FILE: join(home, 'devnet.json'),
      ...nodePorts(ports),
      ...(onlyEvm && { HAWSER_DEV_CHAINS_NODES: evmNodes(ports) }),
    },
    log: join(home, 'log', 'hawser-dev.log'),
  })
}

/**
 * Returns the variables by which the configurations find the nodes of the local chains.
 *
 * @param {import('./ports.mjs').Ports} ports
 */
function nodePorts(ports) {
  return {
    HAWSER_DEVNET_PORT: String(ports.devnet.number),
    HAWSER_DEVNET_TWO_PORT: String(ports.devnetTwo.number),
    HAWSER_DEVNET_SVM_PORT: String(ports.solana.number),
    HAWSER_DEVNET_POLKADOT_PORT: String(ports.polkadot.number),
    HAWSER_DEVNET_BITCOIN_PORT: String(ports.bitcoin.number),
  }
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
