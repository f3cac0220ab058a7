import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, relative, sep } from 'node:path'
import { lookup } from 'mrmime'
import { pageConfig } from './pageConfig.mjs'

/**
 * Serves a built page and its configuration. The files are read once, here: a page that is built again meanwhile
 * does not lose the chunks that an open tab still loads.
 *
 * @param {object} options
 * @param {string} options.directory with the built files
 * @param {number} options.port
 * @param {import('./pageConfig.mjs').PageEnvironment} options.environment
 * @returns {Promise<{ stop: () => Promise<void> }>}
 * @throws {Error} when the port is taken
 */
export async function startPage({ directory, port, environment }) {
  const configuration = pageConfig(environment)
  const files = readFiles(directory)
  const server = createServer((request, response) => {
    configuration(request, response, () => sendFile(files, request, response))
  })
  server.listen(port)
  await once(server, 'listening')
  return {
    stop: async () => {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/**
 * @typedef {object} File
 * @property {string} type as in the header Content-Type
 * @property {Buffer} body
 */

/**
 * Reads all files of a directory.
 *
 * @param {string} directory
 * @returns {Map<string, File>} by their path on the server, such as "/assets/main.js"
 */
function readFiles(directory) {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return new Map(
    paths.map((path) => [
      `/${relative(directory, path).replaceAll(sep, '/')}`,
      { type: lookup(path) ?? 'application/octet-stream', body: readFileSync(path) },
    ]),
  )
}

/**
 * Answers with the file of a path. Names of files under /assets/ have a hash of their content. A path without an extension that no file has is one of the page's router, and
 * gets the page itself.
 *
 * @param {Map<string, File>} files
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
function sendFile(files, request, response) {
  const path = pathOf(request)
  const candidates = path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`, `${path}/index.html`]
  if (!extname(path)) candidates.push('/index.html')
  const file = candidates.map((candidate) => files.get(candidate)).find(Boolean)
  if (!file) {
    response.writeHead(404).end()
    return
  }
  response.writeHead(200, {
    'content-type': file.type.startsWith('text/') ? `${file.type};charset=utf-8` : file.type,
    'content-length': file.body.length,
    'cache-control': path.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-cache',
  })
  response.end(request.method === 'HEAD' ? undefined : file.body)
}

/**
 * Returns the decoded path of a request; "/" when it is malformed.
 *
 * @param {import('node:http').IncomingMessage} request
 */
function pathOf(request) {
  try {
    return decodeURI(new URL(request.url ?? '/', 'http://page').pathname)
  } catch {
    return '/'
  }
}
