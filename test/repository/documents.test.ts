import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(root + path, 'utf8')
const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'deploy/charts/hawser/README.md',
  ...markdownBelow('docs'),
]

/** Paths in backticks or links that begin with a top folder of the repository. */
const path = /[`(]((?:proto|services|gateway|packages|apps|tools|docs)\/[\w./-]+)[`)]/g

for (const document of documents) {
  test(`${document} names files that exist`, () => {
    const named = [...read(document).matchAll(path)].map(([, found = '']) => found.replace(/[/.]+$/, ''))
    const missing = named.filter((file) => !existsSync(root + file))
    expect(missing).toEqual([])
  })
}

test('documents, templates and the front page import what @hawser/core declares for sites', () => {
  const face = new Set(read('packages/core/src/exports/public.ts').match(/\b[A-Za-z]\w+(?=,\n)/g))
  const templates = readdirSync(`${root}examples`, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|js|md)$/.test(file) && !file.includes('node_modules'))
    .map((file) => `examples/${file}`)
  const readmes = readdirSync(`${root}packages`).map((name) => `packages/${name}/README.md`)
  const files = [...documents, ...templates, ...readmes, 'apps/demo/src/home/App.snippet.tsx'].filter(
    (file) => existsSync(root + file),
  )
  const imported = files.flatMap((file) =>
    [...read(file).matchAll(/import (?:type )?\{([^}]*)\} from '@hawser\/core'/g)].flatMap(([, names = '']) =>
      names.split(',').map(
        (name) =>
          name
            .replace(/\btype\b/, '')
            .trim()
            .split(' as ')[0] ?? '',
      ),
    ),
  )
  expect(imported.length).toBeGreaterThan(20)
  expect(imported.filter((name) => name && !face.has(name))).toEqual([])
})

test('documents name settings that exist', () => {
  const settings = [...read('docs/settings.md').matchAll(/^### `([\w.<>]+)`/gm)].map(([, name = '']) => name)
  const services = new Set(settings.map((name) => name.split('.')[0] ?? ''))
  // CHANGELOG.md names settings of earlier versions, and the chart has values of its own.
  const own = ['CHANGELOG.md', 'deploy/charts/hawser/README.md']
  const otherNames = /\.(go|proto|json)$|^(wallet\.(removed|connected)|sessions\.revoked)$/
  const unknown = documents
    .filter((file) => !own.includes(file))
    .flatMap((file) =>
      [...read(file).matchAll(/`([a-z_]+(?:\.[a-z_]+)+)(?::[^`]*)?`/g)]
        .map(([, name = '']) => name)
        .filter((name) => services.has(name.split('.')[0] ?? '') && !otherNames.test(name))
        .filter((name) => !settings.some((known) => known === name || known.startsWith(`${name}.`)))
        .map((name) => `${file}: ${name}`),
    )
  expect(settings.length).toBeGreaterThan(100)
  expect([...new Set(unknown)]).toEqual([])
})

test('docs/react.md has an example of each hook', () => {
  const hooks = new Set(read('packages/react/src/exports/index.ts').match(/\buse[A-Z]\w+(?= \})/g))
  const sections = read('docs/react.md').split(/^### /m)
  const missing = [...hooks].filter(
    (hook) =>
      !sections.some((text) => text.split('\n', 1)[0]?.includes(`\`${hook}\``) && text.includes(`${hook}(`)),
  )
  expect(hooks.size).toBeGreaterThan(10)
  expect(missing).toEqual([])
})

test('SECURITY.md names tests that exist, in or below the folder beside their names', () => {
  const missing: string[] = []
  const groups = read('SECURITY.md').matchAll(/((?:`\w+`,? ?)+)\(((?:services|gateway)[\w/]*)[;)]/g)
  for (const [, tests = '', folder = ''] of groups) {
    const source = goTests(folder)
    for (const [, name = ''] of tests.matchAll(/`((?:Test|Fuzz)\w+)`/g)) {
      if (!source.includes(`func ${name}(`)) missing.push(`${name} in ${folder}`)
    }
  }
  expect(missing).toEqual([])
})

function markdownBelow(folder: string): string[] {
  return readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`)
}

function goTests(folder: string): string {
  return readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('_test.go'))
    .map((file) => readFileSync(join(root, folder, file), 'utf8'))
    .join('\n')
}
