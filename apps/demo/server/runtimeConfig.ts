import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const repository = fileURLToPath(new URL('../../..', import.meta.url))

/** Serves `/hawser.json`: where the gateway is and what local chains run, read at the time of the request. */
export function runtimeConfig(environment: NodeJS.ProcessEnv): Plugin {
  const answer = async (request: IncomingMessage, response: ServerResponse, next: () => void) => {
    if (request.url?.split('?')[0] !== '/hawser.json') return next()
    response.setHeader('content-type', 'application/json')
    response.setHeader('cache-control', 'no-store')
    response.end(JSON.stringify(await readConfig(environment)))
  }
  return {
    name: 'hawser-runtime-config',
    configureServer: ({ middlewares }) => void middlewares.use(answer),
    configurePreviewServer: ({ middlewares }) => void middlewares.use(answer),
  }
}

async function readConfig(environment: NodeJS.ProcessEnv) {
  const stateDirectory = environment.HAWSER_DATA_DIR || join(repository, '.hawser')
  const gatewayUrl = environment.HAWSER_GATEWAY_URL || 'http://localhost:8080'
  return {
    gatewayUrl,
    frameOrigin: environment.HAWSER_FRAME_ORIGIN || 'http://wallet.localhost:5174',
    chains: await readChains(gatewayUrl),
    projectId: environment.HAWSER_PROJECT_ID || '00000000000000000000000000000001',
    devnet: await readJson(join(stateDirectory, 'devnet.json')),
  }
}

/** The CAIP-2 ids of the chains that the gateway serves; null when it does not answer. */
async function readChains(gatewayUrl: string): Promise<string[] | null> {
  try {
    const response = await fetch(`${gatewayUrl}/v1/supported-chains`, { signal: AbortSignal.timeout(1_000) })
    return (await response.json()).http ?? null
  } catch {
    return null
  }
}

/** A missing or half-written file is no devnet. */
async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return null
  }
}
