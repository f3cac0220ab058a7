import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectId } from './peers.mjs'

const bin = fileURLToPath(new URL('../../../.tmp/bin/', import.meta.url))

/**
 * A process that can be killed and started again where it was.
 *
 * @typedef {object} Process
 * @property {() => Promise<void>} start
 * @property {(signal?: NodeJS.Signals) => Promise<void>} stop SIGTERM unless another signal is named
 * @property {() => number} pid
 */

/** @type {Set<Process>} */
const running = new Set()

/** Ends every process that was started here. */
export async function stopAll() {
  for (const one of [...running].reverse()) await one.stop('SIGKILL')
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {() => Promise<boolean>} isReady
 * @returns {Process}
 */
function newProcess(program, args, isReady) {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child
  /** @type {Promise<void>} */
  let ended = Promise.resolve()
  /** @type {Process} */
  const self = {
    async start() {
      const started = spawn(join(bin, program), args, { stdio: ['ignore', 'ignore', 'pipe'] })
      let complaints = ''
      started.stderr.on('data', (chunk) => (complaints = (complaints + chunk).slice(-4000)))
      child = started
      running.add(self)
      ended = new Promise((resolve) => started.once('close', () => resolve()))
      for (let tries = 0; !(await isReady().catch(() => false)); tries += 1) {
        if (tries > 600 || started.exitCode !== null)
          throw new Error(`${program} does not start:\n${complaints}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    async stop(signal = 'SIGTERM') {
      child?.kill(signal)
      await ended
      running.delete(self)
    },
    pid: () => child?.pid ?? 0,
  }
  return self
}

/** @param {string} url */
const answers = async (url) => (await fetch(url)).ok

/**
 * @param {string} dir
 * @param {string} name
 * @param {object} settings
 */
function hawser(dir, name, settings) {
  const metrics = /** @type {any} */ (settings).listen.metrics
  const file = join(dir, `${name}.yaml`)
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ data_dir: join(dir, name), ...settings }))
  return newProcess('hawser', ['-config', file, '-log.level', 'warn'], () =>
    answers(`http://${metrics}/ready`),
  )
}

const seed = { seed: [{ id: projectId, name: 'Peers' }] }

/** Starts a relay in a process with everything else. */
export async function startRelay() {
  const dir = mkdtempSync(join(tmpdir(), 'relaypeers-'))
  const [relay, gateway, metrics] = await freeAddresses(3)
  const listen = { relay, gateway, metrics, frame: '127.0.0.1:0' }
  const process = hawser(dir, 'all', { listen, projects: seed })
  await process.start()
  return { url: `ws://${relay}`, throughGateway: `ws://${gateway}/v1/relay`, metrics, process }
}

/** Starts two relays of one NATS server. */
export async function startReplicas() {
  const dir = mkdtempSync(join(tmpdir(), 'relaypeers-'))
  const [nats, monitor, first, second, projects, ...metrics] = await freeAddresses(8)
  const server = newProcess(
    'nats-server',
    ['-js', '-sd', join(dir, 'nats'), '-a', '127.0.0.1', '-p', port(nats), '-m', port(monitor)],
    () => answers(`http://127.0.0.1:${port(monitor)}/healthz`),
  )
  await server.start()
  const bus = { url: `nats://${nats}` }
  const store = { dsn: join(dir, 'hawser.db') }
  const registry = hawser(dir, 'projects', {
    target: 'projects',
    bus,
    store,
    projects: seed,
    listen: { grpc: projects, metrics: metrics[0] },
  })
  await registry.start()
  const replicas = []
  for (const [index, relay] of [first, second].entries()) {
    const listen = { relay, grpc: '127.0.0.1:0', metrics: metrics[index + 1] }
    const one = hawser(dir, `relay${index}`, { target: 'relay', bus, listen, peers: { projects } })
    await one.start()
    replicas.push({ url: `ws://${relay}`, process: one })
  }
  return { replicas, server }
}

/** @param {string} address */
const port = (address) => address.slice(address.lastIndexOf(':') + 1)

/**
 * Finds addresses on which nothing listens, below the ports that outgoing connections take.
 *
 * @param {number} count
 */
async function freeAddresses(count) {
  /** @type {Set<string>} */
  const found = new Set()
  while (found.size < count) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const server = createServer()
    const free = await new Promise((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    await new Promise((resolve) => server.close(resolve))
    if (free) found.add(`127.0.0.1:${port}`)
  }
  return [...found]
}

/**
 * Returns the memory of a process in MiB.
 *
 * @param {number} pid
 */
export function memory(pid) {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1] ?? 0) / 1024
}
