// Bundles and minifies the stylesheet of the components, for use without the modal.
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { browserslistToTargets, bundle } from 'lightningcss'

const target = new URL('../dist/styles.css', import.meta.url)
const { code } = bundle({
  filename: fileURLToPath(new URL('../src/styles/index.css', import.meta.url)),
  minify: true,
  targets: browserslistToTargets(['chrome 120', 'safari 17', 'firefox 121']),
})
mkdirSync(new URL('.', target), { recursive: true })
writeFileSync(target, code)
