// A page with our button on it and the same page without, built and served as a site would.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, preview } from 'vite'
import { launchChromium } from '../../kit/chromium.mjs'

const root = fileURLToPath(new URL('./fixture/', import.meta.url))

/**
 * Builds pages and serves them, until `close`.
 *
 * @param {{ root: string, pages: string[], external?: RegExp }} [site] the benchmark's own by default
 * @returns {Promise<{ origin: string, close: () => Promise<void> }>} origin: with a slash at the end
 */
export async function serveSite({ root: from, pages, external } = { root, pages: ['react', 'hawser'] }) {
  const outDir = await mkdtemp(join(tmpdir(), 'hawser-page-'))
  const common = /** @type {const} */ ({ root: from, configFile: false, logLevel: 'error' })
  await build({
    ...common,
    build: {
      outDir,
      emptyOutDir: true,
      rollupOptions: {
        input: pages.map((page) => join(from, `${page}.html`)),
        ...(external && { external: [external] }),
      },
    },
  })
  const server = await preview({ ...common, build: { outDir }, preview: { port: 0, host: '127.0.0.1' } })
  const origin = server.resolvedUrls?.local[0]
  if (!origin) throw new Error('the preview server has no address')
  return {
    origin,
    async close() {
      await server.close()
      await rm(outDir, { recursive: true, force: true })
    },
  }
}

/** Launches a browser that does not resolve the page's gateway, which does not exist. */
export function launchBrowser() {
  return launchChromium(['*.invalid'])
}

/**
 * Records every script and style that a page fetches, with its size in gzip -9. Requests to the gateway and
 * to nodes are never answered.
 *
 * @param {import('playwright-core').Page} page
 * @returns {Promise<() => Map<string, number>>} what was fetched so far: bytes by path
 */
export async function watchFiles(page) {
  /** @type {Map<string, number>} */
  const sizes = new Map()
  page.on('response', async (response) => {
    const { pathname } = new URL(response.url())
    if (!/\.(js|css)$/.test(pathname)) return
    sizes.set(pathname, gzipSync(await response.body(), { level: 9 }).length)
  })
  await page.route(/\.invalid\//, () => {})
  return () => new Map(sizes)
}

/**
 * @param {Map<string, number>} sizes
 * @returns {number} KiB
 */
export function total(sizes) {
  return [...sizes.values()].reduce((sum, size) => sum + size, 0) / 1024
}

/**
 * @param {Map<string, number>} now
 * @param {Map<string, number>} before
 */
export function since(now, before) {
  return new Map([...now].filter(([path]) => !before.has(path)))
}

/**
 * Runs inside a page: announces a wallet by EIP-6963 that connects one account to one network when requested,
 * and answers nothing else.
 *
 * @param {string} name
 */
export function announceWallet(name) {
  const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
  const info = { uuid: '0b6a8b8e-5a0f-4c39-8d0c-1f1d3c9a5e11', name, icon, rdns: 'org.example.wallet' }
  const accounts = ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266']
  /** @type {Record<string, () => unknown>} */
  const answers = {
    eth_chainId: () => '0x1',
    eth_accounts: () => (localStorage.getItem('isAllowed') ? accounts : []),
    eth_requestAccounts() {
      localStorage.setItem('isAllowed', 'true')
      return accounts
    },
  }
  const provider = {
    /** @param {{ method: string }} request */
    request: ({ method }) => {
      const answer = answers[method]
      return answer ? Promise.resolve(answer()) : new Promise(() => {})
    },
    on() {},
    removeListener() {},
  }
  const detail = Object.freeze({ info: Object.freeze(info), provider: Object.freeze(provider) })
  const tell = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  addEventListener('eip6963:requestProvider', tell)
  tell()
}
