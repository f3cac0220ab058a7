import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { beforeAll, expect, test } from 'vitest'

const BUDGET_KIB = 30

const root = fileURLToPath(new URL('../../apps/frame', import.meta.url))

/** The files of a build by their names. */
type Files = ReadonlyMap<string, Rolldown.OutputChunk | Rolldown.OutputAsset>

let files: Files

beforeAll(async () => {
  files = await buildFrame()
})

async function buildFrame(): Promise<Files> {
  const { output } = (await build({
    root,
    logLevel: 'error',
    build: { write: false },
  })) as Rolldown.RolldownOutput
  return new Map(output.map((file) => [file.fileName, file]))
}

const contentOf = (file: Rolldown.OutputChunk | Rolldown.OutputAsset) =>
  file.type === 'chunk' ? file.code : file.source
const gzipped = (content: string | Uint8Array) => gzipSync(content, { level: 9 }).length
const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')

/**
 * Returns what the browser loads before a visitor signs in: the page, its script and style, and the worker.
 */
function beforeLogin(): string[] {
  const entry = [...files.values()].find((file) => file.type === 'chunk' && file.isEntry)
  if (entry?.type !== 'chunk') throw new Error('build has no entry')
  const isLoaded = (name: string) => /\/vaultWorker-[^/]+\.js$/.test(name) || name.endsWith('.css')
  return ['index.html', entry.fileName, ...entry.imports, ...[...files.keys()].filter(isLoaded)]
}

test(`the frame is at most ${BUDGET_KIB} KiB gzipped before login`, () => {
  const loaded = beforeLogin()
  expect(loaded.filter((name) => name.includes('vaultWorker'))).toHaveLength(1)
  const bytes = loaded.reduce(
    (sum, name) => sum + gzipped(contentOf(files.get(name) as Rolldown.OutputAsset)),
    0,
  )
  expect(bytes / 1024).toBeLessThanOrEqual(BUDGET_KIB)
})

test('a build has no inline code, and loads nothing from another host', () => {
  const html = String(contentOf(files.get('index.html') as Rolldown.OutputAsset))
  expect(html).toContain('<!--config-->')
  expect(html.match(/<script(?![^>]* src="\/assets\/)[^>]*>|<style|\son\w+=/g)).toBeNull()
  expect(html.match(/(?:src|href)="(?!\/assets\/)[^"]*"/g)).toBeNull()
})

test('a build has every style sheet of the sources', () => {
  const classesOf = (css: string) => new Set(css.match(/\.[a-z][\w-]*(?=[^{}]*\{)/g))
  const built = [...files.values()].filter((file) => file.fileName.endsWith('.css'))
  const styled = classesOf(built.map((file) => String(contentOf(file))).join('\n'))
  for (const name of readdirSync(`${root}/src`).filter((each) => each.endsWith('.css'))) {
    const classes = classesOf(readFileSync(`${root}/src/${name}`, 'utf8'))
    expect([...classes].filter((each) => !styled.has(each))).toEqual([])
  }
})

test('a build has the licences of the packages in its pages and its worker', () => {
  const name = [...files.keys()].find((each) => /^assets\/licences-[^/]+\.txt$/.test(each))
  const text = String(contentOf(files.get(name ?? '') as Rolldown.OutputAsset))
  const named = [...text.matchAll(/^(\S+) \d[\d.]* \((.*)\)$/gm)].map(([, each]) => each)
  expect(named).toEqual(expect.arrayContaining(['preact', 'viem', '@noble/curves', '@scure/bip39']))
  expect(text.match(/Permission is hereby granted/g)).toHaveLength(named.length)
})

test('two builds of the same sources are the same, and manifest.json has their hashes', async () => {
  const manifestOf = (built: Files) => String(contentOf(built.get('manifest.json') as Rolldown.OutputAsset))
  expect(manifestOf(await buildFrame())).toBe(manifestOf(files))

  const manifest = JSON.parse(manifestOf(files)) as { sha256: string; files: Record<string, string> }
  const names = [...files.keys()].filter((name) => name !== 'manifest.json').sort()
  expect(Object.keys(manifest.files)).toEqual(names)
  const lines = names.map((name) => {
    const hash = sha256(contentOf(files.get(name) as Rolldown.OutputAsset))
    expect(manifest.files[name]).toBe(hash)
    return `${hash}  ${name}\n`
  })
  expect(manifest.sha256).toBe(sha256(lines.join('')))
})
