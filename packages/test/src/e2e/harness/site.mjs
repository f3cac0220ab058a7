/**
 * What the demo page tells its visitors about its surroundings.
 * @typedef {object} Site
 * @property {string} url of the page
 * @property {string} gatewayUrl
 * @property {string} projectId
 * @property {import('@hawser/devnet/manifest').Manifest} devnet
 */

/** @returns {Promise<Site>} */
async function readSite() {
  const url = process.env.HAWSER_E2E_URL
  if (!url) throw new Error('HAWSER_E2E_URL is not set: start the journeys with npm run e2e -w packages/test')
  const response = await fetch(new URL('/hawser.json', url), { signal: AbortSignal.timeout(10_000) })
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}`)
  const { gatewayUrl, projectId, devnet } = await response.json()
  if (!devnet) throw new Error(`${response.url} knows no local chains`)
  return { url, gatewayUrl, projectId, devnet }
}

/** The running stack. */
export const site = await readSite()
