// Copies the examples of the repository into the package, so that templates are the examples that are tested.
import { cpSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { templates as names } from '../dist/templates.js'

const templates = new URL('../templates/', import.meta.url)
const built = ['node_modules', 'dist', '.next', 'next-env.d.ts', 'hawser']

rmSync(templates, { recursive: true, force: true })
for (const name of Object.keys(names)) {
  cpSync(new URL(`../../../examples/${name}/`, import.meta.url), new URL(`${name}/`, templates), {
    recursive: true,
    filter: (path) => !built.includes(basename(path)),
  })
}
