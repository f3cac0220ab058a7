// Bundles and minifies the styles: those of the buttons into the stylesheet that a site imports, those of the modal
// into a module of the modal's own chunk. `--check` only tells whether that module is in step with its sources.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { browserslistToTargets, bundleAsync } from 'lightningcss'

const dist = new URL('../dist/', import.meta.url)
const modalModule = new URL('../src/modal/styles.gen.ts', import.meta.url)

const modalStyles = `// Written by scripts/styles.mjs from src/styles/deferred.css.
export const modalStyles =
  ${quoted(await bundle('deferred.css'))}
`
if (!process.argv.includes('--check')) {
  mkdirSync(dist, { recursive: true })
  writeFileSync(new URL('styles.css', dist), await bundle('index.css'))
  writeFileSync(modalModule, modalStyles)
} else if (readFileSync(modalModule, 'utf8') !== modalStyles) {
  console.error('src/modal/styles.gen.ts is not what src/styles says: npm run styles -w @hawser/react')
  process.exit(1)
}

/**
 * @param {string} name of a file in src/styles
 * @returns {Promise<string>} minified CSS
 */
async function bundle(name) {
  const filename = fileURLToPath(new URL(`../src/styles/${name}`, import.meta.url))
  const { resolve } = createRequire(filename)
  const { code } = await bundleAsync({
    filename,
    minify: true,
    // :has() sets this floor.
    targets: browserslistToTargets(['chrome 120', 'safari 17', 'firefox 121']),
    resolver: {
      resolve: (specifier, from) =>
        specifier.startsWith('.')
          ? fileURLToPath(new URL(specifier, pathToFileURL(from)))
          : resolve(specifier),
    },
  })
  return code.toString()
}

/** @param {string} text */
function quoted(text) {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
}
