import { once } from 'node:events'
import { createServer } from 'node:http'
import sirv from 'sirv'
import { pageConfig } from './pageConfig.mjs'

/**
 * Serves a built page and its configuration; unknown paths get the page itself, as its router expects.
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
  const files = sirv(directory, { single: true })
  const server = createServer((request, response) => {
    configuration(request, response, () => files(request, response))
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
