import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const packages = fileURLToPath(new URL('../../', import.meta.url))

/** What each package may import of the others: only what stands to its left. */
const mayImport: Record<string, readonly string[]> = {
  client: [],
  core: ['client'],
  connectors: ['core'],
  ui: [],
  react: ['client', 'connectors', 'core', 'ui'],
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}

for (const [name, allowed] of Object.entries(mayImport)) {
  test(`@hawser/${name} imports ${allowed.map((other) => `@hawser/${other}`).join(', ') || 'no other package of ours'}`, () => {
    const files = sources(join(packages, name, 'src'))
    const imported = new Set(
      files.flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(/from '@hawser\/([a-z]+)/g)].map((match) => match[1]),
      ),
    )
    imported.delete(name)
    expect(files.length).toBeGreaterThan(0)
    expect([...imported].filter((other) => !allowed.includes(other as string))).toEqual([])
  })
}

for (const name of ['client', 'core', 'connectors']) {
  test(`@hawser/${name} knows no React`, () => {
    const files = sources(join(packages, name, 'src'))
    expect(files.filter((file) => /from 'react/.test(readFileSync(file, 'utf8')))).toEqual([])
  })
}
