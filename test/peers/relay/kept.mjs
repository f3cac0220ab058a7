import { after, afterEach } from 'node:test'
import { close } from './peers.mjs'
import { stopAll } from './relay.mjs'

/**
 * Closes the clients of each test of a file after it, and ends the relays after the last one. Returns a function that keeps a client
 * for that.
 */
export function keepClients() {
  /** @type {any[]} */
  const clients = []
  afterEach(() => Promise.all(clients.splice(0).map(close)))
  after(async () => {
    await stopAll()
    // SDKs keep timers that hold the process. The results of the tests have to be written before.
    setTimeout(() => process.exit(), 5_000).unref()
  })
  /** @template T @param {Promise<T>} making @returns {Promise<T>} */
  return async (making) => {
    const client = await making
    clients.push(client)
    return client
  }
}
