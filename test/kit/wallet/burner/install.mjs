import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const entry = fileURLToPath(new URL('./page.mjs', import.meta.url))

/** @type {Promise<string> | undefined} */
let bundled

/**
 * Puts the burner wallet into every page of a browser context, before the scripts of the page.
 *
 * @param {import('playwright-core').BrowserContext} context
 * @param {{ rpcUrl: string }} options the node that the wallet sends transactions through
 */
export async function installBurnerWallet(context, options) {
  bundled ??= bundle()
  await context.addInitScript({
    content: `globalThis.burnerWallet = ${JSON.stringify(options)};\n${await bundled}`,
  })
}

async function bundle() {
  const output = await build({
    configFile: false,
    logLevel: 'error',
    define: { global: 'globalThis', 'process.env.NODE_ENV': '"production"' },
    build: { write: false, minify: false, lib: { entry, formats: ['iife'], name: 'burner' } },
  })
  const [first] = /** @type {import('vite').Rolldown.RolldownOutput[]} */ (output)
  if (!first) throw new Error('the wallet was not bundled')
  return first.output[0].code
}
