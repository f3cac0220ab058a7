import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const programs = ['Xvfb', 'openbox', 'xdotool', 'chromium']

/** Programs of Debian's packages that are missing here, without which there are no real windows. */
export const missingPrograms = programs.filter((program) => {
  try {
    execFileSync('which', [program])
    return false
  } catch {
    return true
  }
})

/**
 * A page in a window of a real window manager. No debugger is attached to it: one would have the page believe that it always has the focus.
 *
 * @typedef {object} WindowPage
 * @property {<Result, Argument>(action: (argument: Argument) => Result, argument?: Argument) => Promise<Awaited<Result>>} evaluate runs a
 *   function in the page
 * @property {(...words: (string | number)[]) => Promise<unknown>} xdotool moves and presses the pointer of the screen
 */

/**
 * Opens Chromium on a screen of its own, on a page with the embedded wallet's script.
 *
 * @param {string} script address of the script
 * @returns {Promise<WindowPage>}
 */
export async function openWindow(script) {
  const display = await startScreen()
  const env = { ...process.env, DISPLAY: display }
  const { url, evaluate } = await serve(await (await fetch(script)).text())
  const folder = mkdtempSync(join(tmpdir(), 'hawser-windows-'))
  const flags = [
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-popup-blocking',
    '--disable-sync',
  ]
  const chromium = spawn(
    'chromium',
    [
      ...flags,
      '--force-device-scale-factor=1',
      '--host-resolver-rules=MAP *.google.com ~NOTFOUND,MAP *.googleapis.com ~NOTFOUND,MAP *.gstatic.com ~NOTFOUND',
      `--user-data-dir=${folder}`,
      '--window-position=20,20',
      '--window-size=700,760',
      `--app=${url}`,
    ],
    { env, stdio: 'ignore' },
  )
  after(async () => {
    chromium.kill()
    await once(chromium, 'exit')
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  })
  return { evaluate, xdotool: (...words) => run('xdotool', words.map(String), { env }) }
}

/** Starts a screen with a window manager. Returns its name. */
async function startScreen() {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1000x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  after(() => screen.kill())
  const [number] = await once(/** @type {import('node:stream').Readable} */ (screen.stdio[3]), 'data')
  const display = `:${String(number).trim()}`
  const manager = spawn('openbox', [], { env: { ...process.env, DISPLAY: display }, stdio: 'ignore' })
  after(() => manager.kill())
  return display
}

/**
 * Serves the page, which asks for what it is to run, and `/cover`, a page that closes when it is pressed.
 *
 * @param {string} script of the embedded wallet
 */
async function serve(script) {
  /** @type {{ id: number, code: string }[]} */
  const waiting = []
  /** @type {Map<number, (answer: { value?: unknown, error?: string }) => void>} */
  const open = new Map()
  /** @type {((task: { id: number, code: string }) => void) | undefined} */
  let next
  const page = `<!doctype html><title>Shop</title><body><script type="module">
    import { createEmbeddedWallet } from '/wallet.js'
    window.createEmbeddedWallet = createEmbeddedWallet
    const answer = (id, body) => fetch('/answer?' + id, { method: 'POST', body: JSON.stringify(body) })
    for (;;) {
      const { id, code } = await (await fetch('/next')).json()
      Promise.resolve().then(() => eval(code)).then((value) => answer(id, { value }), (error) => answer(id, { error: String(error) }))
    }
  </script>`
  const cover =
    '<!doctype html><title>Cover</title><body>Click here twice<script>onmousedown = () => close()</script>'
  const server = createServer(async (request, response) => {
    const [path, query] = (request.url ?? '').split('?')
    if (path === '/wallet.js') {
      response.setHeader('content-type', 'text/javascript')
      return response.end(script)
    }
    if (path === '/next') {
      const task = waiting.shift() ?? (await new Promise((resolve) => (next = resolve)))
      return response.end(JSON.stringify(task))
    }
    if (path === '/answer') {
      let body = ''
      for await (const chunk of request) body += chunk
      open.get(Number(query))?.(JSON.parse(body))
      return response.end()
    }
    response.setHeader('content-type', 'text/html')
    response.end(path === '/cover' ? cover : page)
  })
  await new Promise((resolve) => server.listen(0, () => resolve(undefined)))
  after(() => server.close().closeAllConnections())
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  let lastId = 0

  /** @type {WindowPage['evaluate']} */
  async function evaluate(action, argument) {
    lastId += 1
    const task = { id: lastId, code: `(${action})(${JSON.stringify(argument)})` }
    const answered = new Promise((resolve) => open.set(task.id, resolve))
    if (next) next(task)
    else waiting.push(task)
    next = undefined
    const { value, error } = await answered
    if (error) throw new Error(error)
    return value
  }
  return { url: `http://localhost:${port}/`, evaluate }
}
