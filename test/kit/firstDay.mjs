import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const packageFolder = join(repository, 'packages', 'browser', 'dist')
const ownNode = /("eip155:31338": \["http:\/\/127\.0\.0\.1:\$\{HAWSER_DEVNET_TWO_PORT\}")\]/

/** Reads the port of a listening server. */
const portOf = (/** @type {import('node:net').Server} */ server) =>
  /** @type {import('node:net').AddressInfo} */ (server.address()).port

/**
 * Starts a second node of the second local chain, which forwards to the first, and writes a configuration with both.
 *
 * @returns {Promise<{ config: string, forwardTo: (url: string) => void, stop: () => Promise<void> }>} config: path of the file; stop
 * also ends open connections
 */
export async function startSecondNode() {
  let target = ''
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    if (!target) {
      socket.destroy()
      return
    }
    const { hostname, port } = new URL(target)
    const upstream = connect(Number(port), hostname).on('error', () => socket.destroy())
    socket.on('close', () => upstream.destroy())
    upstream.on('close', () => socket.destroy())
    socket.pipe(upstream).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const folder = mkdtempSync(join(tmpdir(), 'hawser-first-day-'))
  const config = join(folder, 'hawser.yaml')
  const development = readFileSync(join(repository, 'deploy', 'dev.yaml'), 'utf8')
  if (!ownNode.test(development)) throw new Error('deploy/dev.yaml has no node of eip155:31338')
  writeFileSync(config, development.replace(ownNode, `$1, "http://127.0.0.1:${portOf(server)}"]`))

  return {
    config,
    forwardTo(url) {
      target = url
    },
    async stop() {
      rmSync(folder, { recursive: true, force: true })
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

const types = { '.js': 'text/javascript', '.css': 'text/css' }

/**
 * Serves a page with a snippet in its body, and `@hawser/browser` in its folder `hawser`.
 *
 * @returns {Promise<{ origin: string, show: (snippet: string) => void, stop: () => Promise<void> }>}
 */
export async function serveSnippet() {
  let page = ''
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/') {
      response.setHeader('content-type', 'text/html; charset=utf-8').end(page)
      return
    }
    const file = normalize(pathname.replace(/^\/hawser\//, ''))
    const type = types[/** @type {keyof typeof types} */ (extname(file))]
    try {
      const content = readFileSync(join(packageFolder, file))
      response.setHeader('content-type', type ?? 'application/octet-stream').end(content)
    } catch {
      response.writeHead(404).end()
    }
  }).listen(0, 'localhost')
  await once(server, 'listening')
  return {
    origin: `http://localhost:${portOf(server)}`,
    show(snippet) {
      page = `<!doctype html><html lang="en"><title>First shop</title><link rel="icon" href="data:,"><body>${snippet}</body></html>`
    },
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
