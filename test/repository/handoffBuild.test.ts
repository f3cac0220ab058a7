import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { beforeAll, expect, test } from 'vitest'

/** What draws the first screen: the page, its style and its script. */
const FIRST_KIB = 25
/** What a connection loads beside it: the client, with its cryptography, and the search for wallets. */
const CONNECTION_KIB = 40

const root = fileURLToPath(new URL('../../apps/handoff', import.meta.url))

type File = Rolldown.OutputChunk | Rolldown.OutputAsset

let files: ReadonlyMap<string, File>

beforeAll(async () => {
  const { output } = (await build({
    root,
    logLevel: 'error',
    build: { write: false },
  })) as Rolldown.RolldownOutput
  files = new Map(output.map((file) => [file.fileName, file]))
})

const contentOf = (file: File) => (file.type === 'chunk' ? file.code : file.source)

/** Returns a file with what it imports statically. */
function withImports(name: string, found = new Set<string>()): Set<string> {
  const file = files.get(name)
  if (!file || found.has(name)) return found
  found.add(name)
  if (file.type === 'chunk') for (const imported of file.imports) withImports(imported, found)
  return found
}

function chunkOf(module: string): string {
  const chunk = [...files.values()].find(
    (file) => file.type === 'chunk' && file.facadeModuleId?.endsWith(`/apps/handoff/src/${module}`),
  )
  if (!chunk) throw new Error(`build has no chunk of ${module}`)
  return chunk.fileName
}

const kibOf = (names: Iterable<string>) =>
  [...names].reduce(
    (sum, name) => sum + gzipSync(contentOf(files.get(name) as File), { level: 9 }).length,
    0,
  ) / 1024

/** Returns the files of the first screen. */
function first(): Set<string> {
  const entry = [...files.values()].find((file) => file.type === 'chunk' && file.isEntry)
  const css = [...files.keys()].filter((name) => name.endsWith('.css'))
  return new Set(['index.html', ...css, ...withImports(entry?.fileName ?? '')])
}

test(`the first screen of the wallet page is at most ${FIRST_KIB} KiB gzipped`, () => {
  expect(first().size).toBeGreaterThanOrEqual(3)
  expect(kibOf(first())).toBeLessThanOrEqual(FIRST_KIB)
})

test(`a connection loads at most ${CONNECTION_KIB} KiB gzipped beside it`, () => {
  const drawn = first()
  const loaded = [chunkOf('session/sessions.ts'), chunkOf('wallets/find.ts')].flatMap((name) => [
    ...withImports(name),
  ])
  expect(kibOf(new Set(loaded.filter((name) => !drawn.has(name))))).toBeLessThanOrEqual(CONNECTION_KIB)
})

test('the wallet page has no inline code, and loads nothing from another host', () => {
  const html = String(contentOf(files.get('index.html') as File))
  expect(html.match(/<script(?![^>]* src="\/open\/assets\/)[^>]*>|<style|\son\w+=/g)).toBeNull()
  expect(html.match(/(?:src|href)="(?!\/open\/assets\/|data:,")[^"]*"/g)).toBeNull()
})

test('the scripts of the wallet page have no syntax that Chromium 74 and Safari 15 lack', () => {
  const scripts = [...files.values()].filter((file) => file.type === 'chunk')
  expect(scripts.length).toBeGreaterThan(10)
  for (const { fileName, code } of scripts) {
    expect.soft(code.match(/[\w$)\]]\?\.[a-z_$([]/i)?.[0], `${fileName}: optional chaining`).toBeUndefined()
    expect
      .soft(code.match(/[\w$)\]]\s*(\?\?|\|\||&&)=/)?.[0], `${fileName}: logical assignment`)
      .toBeUndefined()
    expect.soft(code.match(/\bstatic\s*\{|\bthis\.#/)?.[0], `${fileName}: members of classes`).toBeUndefined()
  }
})

test('the wallet page has the licences of the packages in it', () => {
  const name = [...files.keys()].find((each) => /^assets\/licences-[^/]+\.txt$/.test(each))
  const text = String(contentOf(files.get(name ?? '') as File))
  const named = [...text.matchAll(/^(\S+) \d[\d.]* \((.*)\)$/gm)].map(([, each]) => each)
  expect(named).toEqual(
    expect.arrayContaining(['preact', '@noble/curves', '@noble/ciphers', '@wallet-standard/app']),
  )
})
