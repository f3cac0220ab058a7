import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { operated } from './site.mjs'

const run = promisify(execFile)
const binary = join(fileURLToPath(new URL('../..', import.meta.url)), '.tmp', 'bin', 'hawser')

/** Origin of the console of the running stack. */
export const { consoleUrl } = operated

/**
 * Prints a link that signs an operator in once, as its operator would on the machine of the suite.
 *
 * @param {string} name
 * @param {'viewer' | 'support' | 'operator' | 'owner'} [role] of a new operator
 * @returns {Promise<string>}
 */
export async function printLink(name, role = 'owner') {
  const { stdout } = await run(binary, ['console', 'login', '-name', name, '-role', role], {
    cwd: operated.home,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      HAWSER_DATA_DIR: operated.home,
      HAWSER_LISTEN_CONSOLE: `127.0.0.1:${new URL(consoleUrl).port}`,
    },
  })
  const link = /https?:\/\/\S+\/login#[0-9a-f]{64}/.exec(stdout)?.[0]
  if (!link) throw new Error(`no link in: ${stdout}`)
  return link
}

/** The screens of the console, by their routes, with what they show once they are loaded. */
export const consoleScreens = /** @type {const} */ ([
  ['#/', 'Overview'],
  ['#/analytics', 'Analytics'],
  ['#/nodes', 'Nodes'],
  ['#/suite', 'Suite'],
  ['#/projects', 'Projects'],
  ['#/projects/new', 'New project'],
  ['#/theme', 'Theme studio'],
  ['#/users', 'Users'],
  ['#/orders', 'Orders'],
  ['#/names', 'Names'],
  ['#/sessions', 'Smart sessions'],
  ['#/bundler', 'Bundler'],
  ['#/settings', 'Settings'],
  ['#/audit', 'Audit log'],
  ['#/operators', 'Operators'],
])

/**
 * Opens a screen of the console, and waits until it has what it loads.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} route such as "#/projects"
 * @param {string} title of the screen
 */
export async function openScreen(page, route, title) {
  await page.evaluate((hash) => {
    location.hash = hash
  }, route)
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
  await isLoaded(page)
}

/**
 * Waits until nothing of a screen is still loading.
 *
 * @param {import('playwright-core').Page} page
 */
export async function isLoaded(page) {
  await page.waitForFunction(
    () => !document.querySelector('.hw-skeleton, .waiting, .chart-space[role=status], [data-state=checking]'),
  )
}
