// Makes the modules in src/gen of the languages in languages. Node cannot load TypeScript itself in every version that is supported.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const generator = fileURLToPath(new URL('../src/generator/generate.ts', import.meta.url))
const { module } = await runnerImport(generator, { configFile: false, logLevel: 'error' })
const folder = new URL('../src/gen/', import.meta.url)

rmSync(folder, { recursive: true, force: true })
for (const [path, text] of module.generate()) {
  const file = fileURLToPath(new URL(path, folder))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
