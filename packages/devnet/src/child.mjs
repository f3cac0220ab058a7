import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const guard = join(dirname(fileURLToPath(import.meta.url)), 'guard.sh')
const patience = 5_000

/**
 * A program started beside this one. It is stopped together with everything it started, and it
 * ends by itself when this process dies in whatever way.
 *
 * @typedef {object} Child
 * @property {string} name
 * @property {Promise<number>} ended exit status; 128 + n after signal n
 * @property {() => string[]} lastLines the end of what it printed
 * @property {(listener: (line: string) => void) => void} onLine
 * @property {() => Promise<void>} stop asks with SIGTERM, insists with SIGKILL after 5 s
 */

/**
 * @param {object} options
 * @param {string} options.name for people
 * @param {string} options.command
 * @param {string[]} options.args
 * @param {string} options.log file that receives all it prints
 * @param {NodeJS.ProcessEnv} [options.env] added to this process's own
 * @param {string} [options.cwd]
 * @returns {Child}
 */
export function startChild({ name, command, args, log, env = {}, cwd }) {
  mkdirSync(dirname(log), { recursive: true })
  const file = createWriteStream(log)
  const child = spawn('/bin/sh', [guard, command, ...args], {
    cwd,
    env: { ...process.env, ...env },
    detached: true, // its own process group: a Ctrl-C in the terminal reaches us alone, we pass it on
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => {}) // it may end first

  /** @type {string[]} */
  const tail = []
  /** @type {Set<(line: string) => void>} */
  const listeners = new Set()
  for (const stream of [child.stdout, child.stderr]) {
    eachLine(stream, (line) => {
      file.write(`${line}\n`)
      tail.push(line)
      if (tail.length > 20) tail.shift()
      for (const listener of listeners) listener(line)
    })
  }

  /** @type {Promise<number>} */
  const ended = new Promise((resolve) => {
    child.once('error', () => resolve(127))
    child.once('close', (code) => {
      file.end()
      resolve(code ?? 128)
    })
  })

  return {
    name,
    ended,
    lastLines: () => [...tail],
    onLine: (listener) => listeners.add(listener),
    async stop() {
      signalGroup(child.pid, 'SIGTERM')
      const insist = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), patience)
      await ended
      clearTimeout(insist)
    },
  }
}

/**
 * @param {number | undefined} pid leader of the group
 * @param {NodeJS.Signals} signal
 */
function signalGroup(pid, signal) {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // exited already
  }
}

/**
 * @param {import('node:stream').Readable} stream
 * @param {(line: string) => void} listener
 */
function eachLine(stream, listener) {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) listener(line)
  })
  stream.on('end', () => {
    if (rest) listener(rest)
  })
}
