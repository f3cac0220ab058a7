import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stateDirectory } from './paths.mjs'

/** Path of the configuration on the page's server. */
const path = '/hawser.json'

/**
 * Environment variables: HAWSER_GATEWAY_URL, HAWSER_FRAME_ORIGIN, HAWSER_DEV_PUBLIC_URL, HAWSER_PROJECT_ID, HAWSER_DATA_DIR.
 * @typedef {Readonly<Record<string, string | undefined>>} PageEnvironment
 */

/**
 * Returns a middleware (connect) that answers `/hawser.json` with the page's configuration, read at the time of the request.
 *
 * @param {PageEnvironment} environment
 */
export function pageConfig(environment) {
  /**
   * @param {import('node:http').IncomingMessage} request
   * @param {import('node:http').ServerResponse} response
   * @param {() => void} next
   */
  return async (request, response, next) => {
    if (request.url?.split('?')[0] !== path) return next()
    response.setHeader('content-type', 'application/json')
    response.setHeader('cache-control', 'no-store')
    response.end(JSON.stringify(await readConfig(environment)))
  }
}

/** @param {PageEnvironment} environment */
async function readConfig(environment) {
  const gatewayUrl = environment.HAWSER_GATEWAY_URL || 'http://localhost:8080'
  return {
    gatewayUrl,
    frameOrigin: environment.HAWSER_FRAME_ORIGIN || 'http://wallet.localhost:5174',
    devServersUrl: environment.HAWSER_DEV_PUBLIC_URL || 'http://localhost:5175',
    chains: await readChains(gatewayUrl),
    projectId: environment.HAWSER_PROJECT_ID || '00000000000000000000000000000001',
    devnet: await readJson(join(environment.HAWSER_DATA_DIR || stateDirectory, 'devnet.json')),
  }
}

/**
 * Returns the CAIP-2 ids of the chains that the gateway serves; null when it does not answer.
 *
 * @param {string} gatewayUrl
 * @returns {Promise<string[] | null>}
 */
async function readChains(gatewayUrl) {
  try {
    const response = await fetch(`${gatewayUrl}/v1/supported-chains`, { signal: AbortSignal.timeout(1_000) })
    return (await response.json()).http ?? null
  } catch {
    return null
  }
}

/**
 * Reads a JSON file; null if it is missing or half written.
 *
 * @param {string} file
 */
async function readJson(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return null
  }
}
