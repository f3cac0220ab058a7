import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { defaults } from '@hawser/devnet/ports'
import { home, startOwnStack } from './ownStack.mjs'

/** Where `make up` keeps its state. */
const stateDirectory = fileURLToPath(new URL('../../.hawser', import.meta.url))

/**
 * The configuration of the demo page.
 *
 * @typedef {object} Site
 * @property {string} url of the page
 * @property {string} gatewayUrl
 * @property {string} projectId
 * @property {string} frameOrigin of the embedded wallet
 * @property {string} devServersUrl origin of hawser-dev, which has the inbox
 * @property {import('@hawser/devnet/manifest').Manifest} devnet
 */

const own = process.env.HAWSER_E2E_URL ? undefined : await startOwnStack()
after(() => own?.stop())
/** The stack the journeys run against: that of HAWSER_E2E_URL, or one of their own. */
export const site = await readSite(process.env.HAWSER_E2E_URL ?? own?.demoUrl ?? '')

/** Where the console of that stack is, and the folder with its database. */
export const operated = own
  ? { consoleUrl: own.consoleUrl, home }
  : { consoleUrl: `http://localhost:${defaults.console.number}`, home: stateDirectory }

/**
 * @param {string} url of the demo page
 * @returns {Promise<Site>}
 */
async function readSite(url) {
  const response = await fetch(new URL('/hawser.json', url), { signal: AbortSignal.timeout(10_000) })
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}`)
  const { gatewayUrl, projectId, frameOrigin, devServersUrl, devnet } = await response.json()
  if (!devnet) throw new Error(`${response.url} knows no local chains`)
  return { url, gatewayUrl, projectId, frameOrigin, devServersUrl, devnet }
}
