import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freeEnvironment } from '@hawser/devnet/ports'
import { eventually } from '../kit/eventually.mjs'

const script = fileURLToPath(new URL('../../packages/devnet/src/up.mjs', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'hawser-up-'))
after(() => rmSync(home, { recursive: true, force: true }))

describe('make up', { timeout: 240_000 }, () => {
  test('prints the addresses once everything works, and stops all of it on a signal', async () => {
    const up = await start()
    await up.prints(/^Hawser is up\.$/m)
    for (const port of up.publicPorts) assert.match(up.output(), new RegExp(`:${port}`))
    assert.equal((await fetch(`http://localhost:${up.ports.HAWSER_GATEWAY_PORT}/health`)).status, 200)
    assert.equal((await fetch(`http://localhost:${up.ports.HAWSER_DEMO_PORT}`)).status, 200)
    assert.equal((await fetch(`http://localhost:${up.ports.HAWSER_DEV_PORT}/inbox`)).status, 200)
    const manifest = JSON.parse(readFileSync(join(home, 'devnet.json'), 'utf8'))
    assert.deepEqual(
      manifest.chains.map((/** @type {{ rpcUrl: string }} */ chain) => Number(new URL(chain.rpcUrl).port)),
      [Number(up.ports.HAWSER_DEVNET_PORT), Number(up.ports.HAWSER_DEVNET_TWO_PORT)],
    )

    up.process.kill('SIGTERM')
    assert.equal(await up.ended, 0)
    await assertAllFree(up.ports)
  })

  test('continues the chains when it is run again', async () => {
    const up = await start()
    await up.prints(/^Hawser is up\.$/m)
    const log = readFileSync(join(home, 'log', 'anvil-31337.log'), 'utf8')
    assert.doesNotMatch(log, /Contract created/)
    up.process.kill('SIGINT')
    assert.equal(await up.ended, 0)
  })

  test('leaves nothing behind when it is killed', async () => {
    const up = await start()
    await up.prints(/^Hawser is up\.$/m)
    up.process.kill('SIGKILL')
    await eventually(() => assertAllFree(up.ports), 15_000)
  })

  test('names a port that is in use and starts nothing', async () => {
    const squatter = createServer().listen(0)
    await once(squatter, 'listening')
    const { port } = /** @type {import('node:net').AddressInfo} */ (squatter.address())
    const up = await start({ HAWSER_DEMO_PORT: String(port) })
    assert.equal(await up.ended, 1)
    assert.equal(
      up.output(),
      `Port ${port} for the demo page is in use: stop what listens there, or choose another with HAWSER_DEMO_PORT.\n`,
    )
    squatter.close()
  })

  test('stops with the last output of a part that does not start', async () => {
    const config = join(home, 'broken.yaml')
    writeFileSync(config, 'no_such_key: 1\n')
    const up = await start({ HAWSER_CONFIG: config })
    assert.equal(await up.ended, 1)
    assert.match(up.output(), /The gateway ended with status \d+(.|\n)*no_such_key/)
    await assertAllFree(up.ports)
  })

  test('stops when a part ends later on', async () => {
    const up = await start()
    await up.prints(/^Hawser is up\.$/m)
    process.kill(nodeOn(up.ports.HAWSER_DEVNET_PORT), 'SIGKILL')
    assert.equal(await up.ended, 1)
    assert.match(up.output(), /The node of chain 31337 ended with status 137/)
    await assertAllFree(up.ports)
  })
})

/** @param {Record<string, string>} [overrides] */
async function start(overrides) {
  const ports = await freeEnvironment()
  const env = { ...process.env, HAWSER_DATA_DIR: home, ...ports, ...overrides }
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  /** @type {Promise<number | null>} */
  const ended = new Promise((resolve) => child.once('close', resolve))
  return {
    process: child,
    ports,
    publicPorts: ['GATEWAY', 'FRAME', 'DEV', 'DEMO', 'DEVNET', 'DEVNET_TWO'].map(
      (part) => ports[`HAWSER_${part}_PORT`],
    ),
    ended,
    output: () => output,
    /** @param {RegExp} text */
    prints: (text) => eventually(() => assert.match(output, text), 60_000),
  }
}

/** @param {Record<string, string | undefined>} ports */
async function assertAllFree(ports) {
  for (const port of Object.values(ports)) {
    const server = createServer()
    server.listen(Number(port))
    await once(server, 'listening')
    server.close()
  }
}

/**
 * Finds the chain node that was started for a port.
 *
 * @param {string | undefined} port
 * @returns {number} process id
 */
function nodeOn(port) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const found = pids.find((pid) => {
    const [command, ...args] = commandLine(pid)
    return command?.endsWith('/anvil') && args.join(' ').includes(`--port ${port}`)
  })
  if (!found) throw new Error(`no node was started for port ${port}`)
  return Number(found)
}

/** @param {string} pid */
function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return [] // it ended meanwhile
  }
}
