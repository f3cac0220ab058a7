import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const packages = fileURLToPath(new URL('../../packages/', import.meta.url))

/** The packages that each package may import; only those to its left. */
const mayImport: Record<string, readonly string[]> = {
  client: [],
  frame: [],
  texts: ['client'],
  siwe: [],
  webhooks: [],
  walletconnect: [],
  core: ['client', 'siwe', 'texts'],
  connectors: ['core', 'frame', 'walletconnect'],
  ui: [],
  vault: ['client', 'frame', 'texts'],
  react: ['core', 'texts', 'ui'],
  wagmi: ['core'],
  browser: ['core', 'connectors', 'react', 'siwe'],
}

/** Imports and re-exports, those of types alone too, and imports for their effect. */
const staticImport = /(?:\bfrom\s+|^\s*import\s+)'([^']+)'/gm
const dynamicImport = /\bimport\s*\(\s*'([^']+)'/g

/** Returns all TypeScript files below a folder, including tests. */
function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Returns what a file imports, as it is written there. */
function importsOf(file: string, patterns = [staticImport, dynamicImport]): string[] {
  const text = readFileSync(file, 'utf8')
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, path = '']) => path))
}

for (const [name, allowed] of Object.entries(mayImport)) {
  const folder = join(packages, name, 'src')
  const files = sources(folder)

  test(`@hawser/${name} imports ${allowed.map((other) => `@hawser/${other}`).join(', ') || 'no other package of ours'}`, () => {
    const imported = new Set(
      files.flatMap((file) => importsOf(file)).flatMap((path) => /^@hawser\/([a-z]+)/.exec(path)?.[1] ?? []),
    )
    imported.delete(name)
    expect(files.length).toBeGreaterThan(0)
    expect([...imported].filter((other) => !allowed.includes(other))).toEqual([])
  })

  test(`@hawser/${name} imports no file of another package by its path`, () => {
    const outside = files.filter((file) =>
      importsOf(file)
        .filter((path) => path.startsWith('.'))
        .map((path) => resolve(dirname(file), path))
        .some((path) => path.startsWith(packages) && !path.startsWith(folder)),
    )
    expect(outside.map((file) => relative(packages, file))).toEqual([])
  })

  // A dynamic import may be circular: that is how a chunk loads the next one.
  test(`@hawser/${name} has no circle of static imports`, () => {
    const graph = new Map(
      files.map((file) => [
        file,
        importsOf(file, [staticImport])
          .filter((path) => path.startsWith('.'))
          .map((path) => resolve(dirname(file), path)),
      ]),
    )
    expect(findCircle(graph)?.map((file) => relative(packages, file))).toBeUndefined()
  })
}

test('a circle is found, however many files it goes through', () => {
  const graph = new Map([
    ['a', ['b', 'd']],
    ['b', ['c']],
    ['c', ['b']],
    ['d', []],
  ])
  expect(findCircle(graph)).toEqual(['b', 'c', 'b'])
  expect(findCircle(new Map([['a', ['b']]]))).toBeUndefined()
})

/**
 * Returns the first cycle of a graph, with its first file repeated at the end; undefined when there is none.
 */
function findCircle(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>()
  const path: string[] = []

  function visit(file: string): string[] | undefined {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return undefined
    path.push(file)
    for (const next of graph.get(file) ?? []) {
      const circle = visit(next)
      if (circle) return circle
    }
    path.pop()
    done.add(file)
    return undefined
  }

  for (const file of graph.keys()) {
    const circle = visit(file)
    if (circle) return circle
  }
  return undefined
}

for (const name of [
  'client',
  'texts',
  'frame',
  'siwe',
  'vault',
  'walletconnect',
  'core',
  'connectors',
  'wagmi',
]) {
  test(`@hawser/${name} imports no React`, () => {
    const files = sources(join(packages, name, 'src'))
    expect(files.filter((file) => importsOf(file).some((path) => /^react(-|\/|$)/.test(path)))).toEqual([])
  })
}

test('@hawser/frame needs no npm package, so that a site installs nothing with it', () => {
  const files = sources(join(packages, 'frame', 'src')).filter((file) => !file.endsWith('.test.ts'))
  const imported = files.flatMap((file) => importsOf(file)).filter((path) => !path.startsWith('.'))
  const manifest = JSON.parse(readFileSync(join(packages, 'frame', 'package.json'), 'utf8'))
  expect(files.length).toBeGreaterThan(0)
  expect(imported).toEqual([])
  expect(Object.keys(manifest).filter((field) => /dependencies/i.test(field))).toEqual([])
})

test('@hawser/vault is private, and the pages of the wallet alone import it', () => {
  const others = [
    ...Object.keys(mayImport).map((name) => join(packages, name)),
    ...['console', 'demo', 'docs', 'frame', 'handoff'].map((name) => join(packages, '..', 'apps', name)),
  ]
  const importing = others.filter((folder) =>
    sources(join(folder, 'src')).some((file) => importsOf(file).some((path) => /^@hawser\/vault/.test(path))),
  )
  const manifest = JSON.parse(readFileSync(join(packages, 'vault', 'package.json'), 'utf8'))
  expect(manifest.private).toBe(true)
  expect(importing.map((folder) => relative(packages, folder))).toEqual(['../apps/frame'])
})

test('actions of @hawser/core report outcomes and import neither router, modal nor toast', () => {
  const core = join(packages, 'core', 'src')
  // Outcomes of features that are loaded later are mapped by modules of their own, which are loaded with them.
  const shows = /^(router|modal(?!\/(access|login|session|name|buy|transfer|wallet)Flows\.ts$)|toast)\//
  const compose = /^(router|modal|toast|exports|testing)\/|^createHawser\.ts$|\.test\.ts$/
  const wrong = sources(core).filter((file) => {
    const imported = importsOf(file).filter((path) => path.startsWith('.'))
    return (
      !compose.test(relative(core, file)) &&
      imported.some((path) => shows.test(relative(core, resolve(dirname(file), path))))
    )
  })
  expect(wrong.map((file) => relative(packages, file))).toEqual([])
})
