// Bundles and minifies the one stylesheet of the package: its own rules and those of @hawser/ui.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { browserslistToTargets, bundleAsync } from 'lightningcss'

const source = fileURLToPath(new URL('../src/styles/index.css', import.meta.url))
const target = new URL('../dist/styles.css', import.meta.url)
const { resolve } = createRequire(source)

const { code } = await bundleAsync({
  filename: source,
  minify: true,
  // :has() sets this floor.
  targets: browserslistToTargets(['chrome 120', 'safari 17', 'firefox 121']),
  resolver: {
    resolve: (specifier, from) =>
      specifier.startsWith('.') ? fileURLToPath(new URL(specifier, pathToFileURL(from))) : resolve(specifier),
  },
})
mkdirSync(new URL('.', target), { recursive: true })
writeFileSync(target, code)
