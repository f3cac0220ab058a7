import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A port of the local stack.
 * @typedef {object} Port
 * @property {string} what listens there
 * @property {string} variable environment variable that moves it
 * @property {number} number
 */

/** The ports of `make up`. */
export const defaults = /** @type {const} */ ({
  gateway: { what: 'the gateway', variable: 'HAWSER_GATEWAY_PORT', number: 8080 },
  relay: { what: 'the relay for wallets', variable: 'HAWSER_RELAY_PORT', number: 5555 },
  frame: { what: 'the pages of the embedded wallet', variable: 'HAWSER_FRAME_PORT', number: 5174 },
  dev: { what: 'the pages of hawser-dev', variable: 'HAWSER_DEV_PORT', number: 5175 },
  sellers: { what: 'the sandbox of hawser-dev', variable: 'HAWSER_DEV_GRPC_PORT', number: 5176 },
  mails: { what: 'the inbox of hawser-dev, for mails', variable: 'HAWSER_DEV_SMTP_PORT', number: 5177 },
  demo: { what: 'the demo page', variable: 'HAWSER_DEMO_PORT', number: 5173 },
  devnet: { what: 'the first local chain', variable: 'HAWSER_DEVNET_PORT', number: 8545 },
  devnetTwo: { what: 'the second local chain', variable: 'HAWSER_DEVNET_TWO_PORT', number: 8546 },
  solana: { what: 'the local Solana chain', variable: 'HAWSER_DEVNET_SVM_PORT', number: 8899 },
  polkadot: { what: 'the local Polkadot chain', variable: 'HAWSER_DEVNET_POLKADOT_PORT', number: 9944 },
  bitcoin: { what: 'the local Bitcoin network', variable: 'HAWSER_DEVNET_BITCOIN_PORT', number: 18_480 },
  console: { what: 'the console', variable: 'HAWSER_CONSOLE_PORT', number: 8090 },
  metrics: { what: 'the metrics of the gateway', variable: 'HAWSER_METRICS_PORT', number: 9090 },
})

/** @typedef {Record<keyof typeof defaults, Port>} Ports */

/**
 * Reads the ports of the stack from the environment.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Ports}
 * @throws {Error} naming the variable whose value is no port, or the two that are equal
 */
export function readPorts(environment) {
  const entries = Object.entries(defaults).map(([name, port]) => {
    const number = Number(environment[port.variable] || port.number)
    if (!Number.isInteger(number) || number < 1 || number > 65_535) {
      throw new Error(`${port.variable}=${environment[port.variable]} is not a port between 1 and 65535`)
    }
    return /** @type {const} */ ([name, { ...port, number }])
  })
  for (const [index, [, port]] of entries.entries()) {
    const twin = entries.slice(index + 1).find(([, other]) => other.number === port.number)
    if (twin) throw new Error(`${port.variable} and ${twin[1].variable} are both ${port.number}`)
  }
  return /** @type {Ports} */ (Object.fromEntries(entries))
}

/**
 * Returns a line for each port that another process listens on already.
 *
 * @param {Ports} ports
 * @returns {Promise<string[]>}
 */
export async function describeTakenPorts(ports) {
  const lines = await Promise.all(
    Object.values(ports).map(async ({ what, variable, number }) => {
      if (await isFree(number)) return undefined
      return `Port ${number} for ${what} is in use: stop what listens there, or choose another with ${variable}.`
    }),
  )
  return lines.filter((line) => line !== undefined)
}

/** Below the ports that systems give to outgoing connections, which come and go, and beside those that Go's tests use. */
const lowestPort = 12_000
const highestPort = 19_999

/** Ports in a block: the first one is its lock. */
const blockSize = 16

/**
 * Finds ports that no process listens on, for a stack that runs beside another one. No other process gets the
 * same ports while this one runs.
 *
 * @param {number} count
 * @returns {Promise<number[]>}
 */
export async function freePorts(count) {
  /** @type {number[]} */
  const found = []
  while (found.length < count) {
    for (const port of await reserveBlock()) {
      if (found.length < count && (await isFree(port))) found.push(port)
    }
  }
  return found
}

/**
 * Takes a random block of ports by listening on its first one until the process ends.
 *
 * @returns {Promise<number[]>} the others
 * @throws {Error} when none of many tries finds one
 */
async function reserveBlock() {
  const blocks = Math.floor((highestPort + 1 - lowestPort) / blockSize)
  for (let tries = 0; tries < 2 * blocks; tries++) {
    const first = lowestPort + randomInt(blocks) * blockSize
    try {
      const lock = await listen(first)
      lock.unref()
      return Array.from({ length: blockSize - 1 }, (_, index) => first + 1 + index)
    } catch {
      // Another process has this block.
    }
  }
  throw new Error(`No block of ports is free between ${lowestPort} and ${highestPort}`)
}

/**
 * Finds a free port for every part of a stack.
 *
 * @returns {Promise<Record<string, string>>} environment variables for `readPorts`
 */
export async function freeEnvironment() {
  const parts = Object.values(defaults)
  const free = await freePorts(parts.length)
  return Object.fromEntries(parts.map(({ variable }, index) => [variable, String(free[index])]))
}

/** @param {number} port */
async function isFree(port) {
  try {
    await close(await listen(port))
    return true
  } catch {
    return false
  }
}

/**
 * Listens on every address, so that a listener on just one of them is noticed too.
 *
 * @param {number} port
 * @returns {Promise<import('node:net').Server>}
 */
function listen(port) {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ port, exclusive: true }, () => resolve(server))
  })
}

/** @param {import('node:net').Server} server */
function close(server) {
  return new Promise((resolve) => server.close(resolve))
}
