// Sites that are built of nothing but the tarballs of the packages, as a stranger installs them.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { after, before, describe } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseEther } from 'viem'
import { devnet, freshAddress } from './e2e/harness/chain.mjs'
import { eventually } from './e2e/harness/eventually.mjs'
import { journey } from './e2e/harness/journey.mjs'
import { site } from './e2e/harness/site.mjs'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const examples = join(repository, 'examples')
const snippet = join(repository, 'apps', 'demo', 'src', 'home', 'App.snippet.tsx')
const types = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' }

const folder = mkdtempSync(join(tmpdir(), 'hawser-install-'))
before(installPackages, { timeout: 240_000 })
after(() => rmSync(folder, { recursive: true, force: true }))

describe('the snippet of the front page', () => {
  before(buildSnippet, { timeout: 60_000 })

  journey('is a site with a connect button', {}, async ({ page, modal, wallet }) => {
    await serve(page, 'snippet')
    await modal.connectButton.click()
    await modal.find(`wallet-selector-${wallet.info.rdns}`).waitFor()
    assert.equal(await page.evaluate(() => document.title), 'Snippet')
  })
})

describe('the site of the quickstart', () => {
  before(() => buildSite('quickstart'), { timeout: 60_000 })

  journey('connects a test account, signs in and sends', {}, async ({ page, modal }) => {
    const to = freshAddress()
    await serve(page, 'quickstart')
    await modal.connectButton.click()
    await modal.press('wallet-selector-dev-wallet')
    await modal.shows('ConnectingSiwe')
    await modal.press('w3m-connecting-siwe-sign')
    await modal.isClosed()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await modal.chooseToken('ETH')
    await modal.find('send-amount-input').fill('0.25')
    await modal.find('send-address-input').fill(to)
    await modal.readyToReview()
    await modal.press('send-review-button')
    await modal.press('send-confirm-button')
    await modal.isSent()
    await eventually(async () => assert.equal(await devnet.balance(to), parseEther('0.25')))
  })
})

describe('a site with wagmi', () => {
  before(() => buildExample('wagmi'), { timeout: 60_000 })

  journey('connects, reads, signs and disconnects by its hooks', {}, async ({ page, modal, wallet }) => {
    await serve(page, 'wagmi')
    await page.getByRole('button', { name: 'Connect by wagmi' }).click()
    await modal.press(`wallet-selector-${wallet.info.rdns}`)
    await page.getByText(wallet.address, { exact: true }).waitFor()
    await page.getByRole('heading', { name: site.devnet.chains[0]?.name ?? '?' }).waitFor()
    await page
      .getByText(/^\d[\d.]* ETH$/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Sign' }).click()
    assert.match((await page.locator('output').textContent()) ?? '', /^0x[0-9a-f]{130}$/)
    await page.reload()
    await page.getByRole('button', { name: 'Disconnect by wagmi' }).click()
    await modal.connectButton.waitFor()
    assert.equal(wallet.grantedOrigins.size, 0)
  })

  journey('shows what happens in the modal', {}, async ({ page, modal, wallet }) => {
    await serve(page, 'wagmi')
    await page.getByRole('button', { name: 'Connect by wagmi' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('alert').waitFor()
    await modal.connect(wallet)
    await page.getByText(wallet.address, { exact: true }).waitFor()
    await modal.openAccount()
    await modal.press('account-settings-button')
    await modal.press('disconnect-button')
    await page.getByRole('heading', { name: 'Not connected' }).waitFor()
  })
})

/** Packs the packages and installs them with what the example needs of others. */
function installPackages() {
  run('make', ['pack'], repository)
  const packed = join(repository, '.tmp', 'packages')
  const tarballs = readdirSync(packed).map((name) => join(packed, name))
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(examples, 'wagmi', 'package.json'), 'utf8'),
  )
  const others = Object.entries({ ...dependencies, ...devDependencies })
    .filter(([name]) => !name.startsWith('@hawser/'))
    .map(([name, version]) => `${name}@${version}`)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...tarballs, ...others], folder)
}

function buildSnippet() {
  cpSync(join(examples, 'wagmi', 'tsconfig.json'), join(folder, 'snippet', 'tsconfig.json'))
  write('snippet', {
    'index.html':
      '<!doctype html><title>Snippet</title><body><script type="module" src="/src/main.tsx"></script>',
    'src/main.tsx': `import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'

createRoot(document.body.appendChild(document.createElement('div'))).render(<App />)
`,
    'src/App.tsx': readFileSync(snippet, 'utf8').replace('http://localhost:8080', site.gatewayUrl),
  })
  build('snippet')
}

/**
 * Builds an example for the local chains.
 *
 * @param {string} name
 */
function buildExample(name) {
  const networks = site.devnet.chains.map(
    ({ chainId, name }) =>
      `defineNetwork({ id: ${chainId}, name: '${name}', nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 } })`,
  )
  write(name, {
    'src/networks.ts': `import { defineNetwork } from '@hawser/core'

export const networks = [${networks.join(', ')}] as const
`,
  })
  buildSite(name)
}

/**
 * Builds an example as it is, but for the files that the test has written.
 *
 * @param {string} name
 */
function buildSite(name) {
  cpSync(join(examples, name), join(folder, name), { recursive: true, force: false })
  build(name)
}

/**
 * Checks the types of a site and builds it.
 *
 * @param {string} name
 */
function build(name) {
  const cwd = join(folder, name)
  const env = { ...process.env, VITE_HAWSER_URL: site.gatewayUrl, VITE_HAWSER_PROJECT_ID: site.projectId }
  run('npx', ['tsc'], cwd, env)
  run('npx', ['vite', 'build', '--base', `/${name}/`, '--logLevel', 'warn'], cwd, env)
}

/**
 * Writes files of a site.
 *
 * @param {string} name
 * @param {Record<string, string>} files
 */
function write(name, files) {
  mkdirSync(join(folder, name, 'src'), { recursive: true })
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, name, path), text)
}

/**
 * Opens a built site, at the origin of the demo page.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} name
 */
async function serve(page, name) {
  // Chromium takes a page whose files a test answers for one of the public internet.
  await page.context().grantPermissions(['local-network-access'])
  await page.route(`**/${name}/**`, (route) => {
    const { pathname } = new URL(route.request().url())
    const file = join(folder, name, 'dist', pathname.slice(name.length + 2) || 'index.html')
    if (!existsSync(file)) return route.fulfill({ status: 404 })
    const contentType = types[/** @type {keyof typeof types} */ (extname(file))] ?? 'application/octet-stream'
    return route.fulfill({ body: readFileSync(file), contentType })
  })
  await page.goto(new URL(`/${name}/`, site.url).href)
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} [env]
 */
function run(command, args, cwd, env = process.env) {
  try {
    execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: 'pipe', timeout: 180_000 })
  } catch (error) {
    const { stdout, stderr } = /** @type {{ stdout: string, stderr: string }} */ (error)
    throw new Error(`${command} ${args[0] ?? ''} failed\n${stdout}\n${stderr}`)
  }
}
