// Runs a command while every default port of the stack is occupied, so that a test that listens on one of them fails:
//   node tools/occupied.mjs <command> [argument ...]
// `make up` may run meanwhile: a port that somebody listens on is occupied already.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { defaults } from '../packages/devnet/src/ports.mjs'

const [command = '', ...args] = process.argv.slice(2)

/** @param {number} port */
async function occupy(port) {
  const server = createServer((socket) => socket.destroy())
  server.listen({ port, exclusive: true })
  await once(server, 'listening').catch((error) => {
    if (error.code !== 'EADDRINUSE') throw error
  })
}

await Promise.all(Object.values(defaults).map(({ number }) => occupy(number)))
const child = spawn(command, args, { stdio: 'inherit' })
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.on(signal, () => child.kill(signal))
const [status] = await once(child, 'exit')
process.exit(status ?? 1)
