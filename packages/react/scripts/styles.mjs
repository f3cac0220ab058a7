// Bundles and minifies the styles: those of the buttons into the stylesheet that a site imports, those of the
// modal and of the views of an account into modules of their own chunks. `--check` only reports whether those
// modules match their sources.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { browserslistToTargets, bundleAsync } from 'lightningcss'

const dist = new URL('../dist/', import.meta.url)
const modules = await Promise.all(
  ['shell', 'pairing', 'login', 'connected', 'access', 'sessions', 'namespaces'].map(styleModule),
)

if (!process.argv.includes('--check')) {
  mkdirSync(dist, { recursive: true })
  writeFileSync(new URL('styles.css', dist), await bundle('index.css'))
  for (const { file, text } of modules) writeFileSync(file, text)
} else if (modules.some(({ file, text }) => readFileSync(file, 'utf8') !== text)) {
  console.error('src/styles/*.gen.ts are not what src/styles says: npm run styles -w @hawser/react')
  process.exit(1)
}

/**
 * @param {string} name of a file in src/styles, without its ending
 * @returns {Promise<{ file: URL, text: string }>} a module that exports its minified CSS
 */
async function styleModule(name) {
  const text = `// Written by scripts/styles.mjs from ${name}.css.
export const ${name}Styles =
  ${quoted(await bundle(`${name}.css`))}
`
  return { file: new URL(`../src/styles/${name}.gen.ts`, import.meta.url), text }
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
