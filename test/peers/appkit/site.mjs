import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/** Origin of the pages; nothing listens there. Pages of localhost may show the embedded wallet of a development project. */
export const origin = 'http://localhost'

const html =
  '<!doctype html><html lang="en"><title>Old client</title><script type="module" src="/main.js"></script></html>'
const types = /** @type {Record<string, string>} */ ({ '.js': 'text/javascript', '.css': 'text/css' })

/**
 * Answers a path of a site.
 * @typedef {(path: string) => { status?: number, contentType?: string, body: string | Buffer }} Site
 */

/**
 * Builds the site of a version.
 *
 * @param {string} version such as "1.7.3"
 * @returns {Promise<Site>}
 */
export async function buildSite(version) {
  const root = fileURLToPath(new URL(version, import.meta.url))
  const outDir = fileURLToPath(new URL(`../../../.hawser/oldclients/${version}`, import.meta.url))
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    // The clients read variables of a build, which a visit sets.
    define: { 'process.env': 'globalThis.process.env' },
    build: {
      outDir,
      emptyOutDir: true,
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: { input: join(root, 'main.mjs'), output: { entryFileNames: 'main.js' } },
    },
  })
  return (path) => {
    if (path === '/') return { contentType: 'text/html', body: html }
    const contentType = types[extname(path)]
    return contentType ? { contentType, body: readFileSync(join(outDir, path)) } : { status: 404, body: '' }
  }
}
