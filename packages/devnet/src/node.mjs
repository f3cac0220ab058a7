import { join } from 'node:path'
import { startChild } from './child.mjs'

/**
 * Starts a program that says "Listening on <URL>" once it serves a local chain.
 *
 * @param {object} options
 * @param {string} options.name such as "Solana chain"
 * @param {string} options.home directory with the logs
 * @param {string} options.log file name
 * @param {string} [options.command] node by default
 * @param {string[]} options.args of the command; of node, the program's file first
 * @returns {Promise<{ url: string, child: import('./child.mjs').Child }>}
 * @throws {Error} when it ends before that, with the end of its output
 */
export async function startNode({ name, home, log, command = process.execPath, args }) {
  const child = startChild({ name, command, args, log: join(home, 'log', log) })
  /** @type {Promise<string>} */
  const listening = new Promise((resolve) => {
    child.onLine((line) => {
      const url = /^Listening on (\S+)/.exec(line)?.[1]
      if (url) resolve(url)
    })
  })
  const ended = child.ended.then(() => {
    const lines = child.lastLines()
    throw new Error(`the ${name} did not start: ${lines.find((line) => /error/i.test(line)) ?? lines.at(-1)}`)
  })
  const url = await Promise.race([listening, ended])
  ended.catch(() => {}) // from here on the owner of the node watches child.ended
  return { url, child }
}
