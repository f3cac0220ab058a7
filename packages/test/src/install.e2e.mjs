import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { after, before, describe } from 'node:test'
import { fileURLToPath } from 'node:url'
import { journey } from './e2e/harness/journey.mjs'
import { site } from './e2e/harness/site.mjs'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const demo = join(repository, 'apps', 'demo')
const snippet = join(demo, 'src', 'home', 'App.snippet.tsx')
const types = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' }

describe('the snippet of the front page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hawser-install-'))
  before(() => buildSite(folder), { timeout: 240_000 })
  after(() => rmSync(folder, { recursive: true, force: true }))

  journey(
    'is a site with a connect button, from nothing but the tarballs',
    {},
    async ({ page, modal, wallet }) => {
      await page.route('**/snippet/**', (route) => {
        const file = join(
          folder,
          'dist',
          new URL(route.request().url()).pathname.slice('/snippet/'.length) || 'index.html',
        )
        if (!existsSync(file)) return route.fulfill({ status: 404 })
        const contentType =
          types[/** @type {keyof typeof types} */ (extname(file))] ?? 'application/octet-stream'
        return route.fulfill({ body: readFileSync(file), contentType })
      })
      await page.goto(new URL('/snippet/', site.url).href)
      await modal.connectButton.click()
      await modal.find(`wallet-selector-${wallet.info.rdns}`).waitFor()
      assert.equal(await page.evaluate(() => document.title), 'Snippet')
    },
  )
})

/**
 * Packs the packages, installs them in a folder of their own beside the snippet, checks its types and builds it.
 *
 * @param {string} folder
 */
function buildSite(folder) {
  run('make', ['pack'], repository)
  const packed = join(repository, '.tmp', 'packages')
  const tarballs = readdirSync(packed).map((name) => join(packed, name))
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(demo, 'package.json'), 'utf8'))
  const peers = ['react', 'react-dom'].map((name) => `${name}@${dependencies[name]}`)
  const reactTypes = ['@types/react', '@types/react-dom'].map((name) => `${name}@${devDependencies[name]}`)

  const main = `import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'

createRoot(document.body.appendChild(document.createElement('div'))).render(<App />)
`
  const compilerOptions = {
    jsx: 'react-jsx',
    lib: ['es2023', 'dom'],
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    noEmit: true,
    noUncheckedSideEffectImports: false,
    strict: true,
    target: 'es2023',
    types: [],
  }
  write({
    'package.json': JSON.stringify({ private: true, type: 'module' }),
    'index.html':
      '<!doctype html><title>Snippet</title><body><script type="module" src="/main.tsx"></script>',
    'main.tsx': main,
    'App.tsx': readFileSync(snippet, 'utf8').replace('http://localhost:8080', site.gatewayUrl),
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['*.tsx'] }),
  })
  run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--prefer-offline', ...tarballs, ...peers, ...reactTypes],
    folder,
  )

  const require = createRequire(join(demo, 'package.json'))
  const vite = join(require.resolve('vite/package.json'), '..', 'bin', 'vite.js')
  run(join(repository, 'node_modules', '.bin', 'tsc'), [], folder)
  run(process.execPath, [vite, 'build', '--base', '/snippet/', '--logLevel', 'warn'], folder)

  /** @param {Record<string, string>} files */
  function write(files) {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  }
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 */
function run(command, args, cwd) {
  try {
    execFileSync(command, args, { cwd, encoding: 'utf8', stdio: 'pipe', timeout: 180_000 })
  } catch (error) {
    const { stdout, stderr } = /** @type {{ stdout: string, stderr: string }} */ (error)
    throw new Error(`${command} ${args[0] ?? ''} failed\n${stdout}\n${stderr}`)
  }
}
