// Builds sites from the tarballs of the packages, as they are installed outside of the repository.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
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
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePorts } from '@hawser/devnet/ports'
import { site } from './site.mjs'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const examples = join(repository, 'examples')
const types = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' }

const folder = mkdtempSync(join(tmpdir(), 'hawser-install-'))

/** Removes all sites. */
export function removeSites() {
  rmSync(folder, { recursive: true, force: true })
}

/** Packs the packages and installs them with the other dependencies of the examples. */
export function installPackages() {
  run('make', ['pack'], repository)
  const packed = join(repository, '.tmp', 'packages')
  const tarballs = readdirSync(packed).map((name) => join(packed, name))
  const others = readdirSync(examples).flatMap((name) => {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(examples, name, 'package.json'), 'utf8'),
    )
    return Object.entries({ ...dependencies, ...devDependencies })
      .filter(([dependency]) => !dependency.startsWith('@hawser/'))
      .map(([dependency, version]) => `${dependency}@${version}`)
  })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  run('npm', ['install', '--no-audit', '--no-fund', ...tarballs, ...new Set(others)], folder)
}

/**
 * Writes a site with create-hawser.
 *
 * @param {string} template
 */
export function createSite(template) {
  const program = join(folder, 'node_modules', 'create-hawser', 'dist', 'main.js')
  const options = ['--template', template, '--gateway', site.gatewayUrl, '--project-id', site.projectId]
  run(process.execPath, [program, template, ...options], folder)
}

/**
 * Copies an example that is no template.
 *
 * @param {string} name
 */
export function copyExample(name) {
  cpSync(join(examples, name), join(folder, name), { recursive: true })
}

/**
 * Writes the local chains to a site's list of networks.
 *
 * @param {string} name
 * @param {string} path its file with the networks
 * @param {string} [core] where that imports from
 */
export function listLocalChains(name, path, core = '@hawser/core') {
  const networks = site.devnet.chains.map(
    ({ chainId, name }) =>
      `defineNetwork({ id: ${chainId}, name: '${name}', nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 } })`,
  )
  const list = path.endsWith('.ts') ? `[${networks.join(', ')}] as const` : `[${networks.join(', ')}]`
  write(name, { [path]: `import { defineNetwork } from '${core}'\n\nexport const networks = ${list}\n` })
}

/** Copies the script for pages without a bundler into a site, as its `npm install` does. */
export function copyBrowserScript(/** @type {string} */ name) {
  cpSync(join(folder, 'node_modules', '@hawser', 'browser', 'dist'), join(folder, name, 'hawser'), {
    recursive: true,
  })
}

/**
 * Checks the types of a site and builds it with Vite, which must print no warning.
 *
 * @param {string} name
 */
export function buildWithVite(name) {
  const env = { ...process.env, VITE_HAWSER_URL: site.gatewayUrl, VITE_HAWSER_PROJECT_ID: site.projectId }
  run('npx', ['tsc'], join(folder, name), env)
  const built = run(
    'npx',
    ['vite', 'build', '--base', `/${name}/`, '--logLevel', 'warn'],
    join(folder, name),
    env,
  )
  assert.equal(built, '', 'the build of a new site warns')
}

/**
 * Checks the types of a site and of all packages that it uses.
 *
 * @param {string} name
 */
export function checkDeclarations(name) {
  run('npx', ['tsc', '--skipLibCheck', 'false'], join(folder, name))
}

/**
 * Builds a site with Next.js, which checks its types, and starts its server.
 *
 * @param {string} name
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startNext(name) {
  const cwd = join(folder, name)
  const [port] = await freePorts(1)
  const url = `http://localhost:${port}/`
  const env = {
    ...process.env,
    NEXT_TELEMETRY_DISABLED: '1',
    SITE_ORIGIN: new URL(url).origin,
  }
  run('npx', ['next', 'build'], cwd, env)
  const program = join(folder, 'node_modules', 'next', 'dist', 'bin', 'next')
  const server = spawn(process.execPath, [program, 'start', '-p', String(port)], { cwd, env })
  await new Promise((resolve, reject) => {
    server.stdout.on('data', (text) => /Ready/.test(String(text)) && resolve(undefined))
    server.once('exit', (code) => reject(new Error(`next start ended with ${code}`)))
  })
  return {
    url,
    async stop() {
      server.kill()
      await once(server, 'exit')
    },
  }
}

/**
 * Writes files of a site.
 *
 * @param {string} name
 * @param {Record<string, string>} files
 */
function write(name, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name, path)), { recursive: true })
    writeFileSync(join(folder, name, path), text)
  }
}

/** Returns the Content-Security-Policy of the documents, with the addresses of this run. */
function documentedPolicy() {
  const readme = readFileSync(join(repository, 'packages', 'react', 'README.md'), 'utf8')
  const [, policy] = /```csp\n([^`]+)```/.exec(readme) ?? []
  if (!policy) throw new Error('packages/react/README.md has no policy')
  const { gatewayUrl, frameOrigin } = site
  return policy
    .replaceAll('\n', ' ')
    .replaceAll('https://wallet.example.com', gatewayUrl)
    .replaceAll('wss://wallet.example.com', gatewayUrl.replace(/^http/, 'ws'))
    .replaceAll('https://wallet.example.net', frameOrigin)
}

/**
 * Opens a site that is built, at the origin of the demo page, with the documented Content-Security-Policy.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} name
 * @param {string} [built] the folder of the site that a web server would serve
 */
export async function serve(page, name, built = 'dist') {
  // Chromium treats a page whose files a test serves as one of the public internet.
  await page.context().grantPermissions(['local-network-access'])
  const headers = { 'Content-Security-Policy': documentedPolicy() }
  await page.route(`**/${name}/**`, (route) => {
    const { pathname } = new URL(route.request().url())
    const file = join(folder, name, built, pathname.slice(name.length + 2) || 'index.html')
    if (!existsSync(file)) return route.fulfill({ status: 404 })
    const contentType = types[/** @type {keyof typeof types} */ (extname(file))] ?? 'application/octet-stream'
    return route.fulfill({ body: readFileSync(file), contentType, headers })
  })
  await page.goto(new URL(`/${name}/`, site.url).href)
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string} what it printed
 */
function run(command, args, cwd, env = process.env) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    timeout: 600_000,
  })
  if (status !== 0) throw new Error(`${command} ${args[0] ?? ''} failed\n${stdout}\n${stderr}`)
  return stdout + stderr
}
