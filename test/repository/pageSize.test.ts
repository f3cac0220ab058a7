import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { afterEach, expect, test, vi } from 'vitest'

/** What our button adds to a page with React before the `load` event, in KiB gzipped. The journeys of `page` measure it in a browser. */
const BUDGET_KIB = 20

const root = fileURLToPath(new URL('../bench/page/fixture/', import.meta.url))

type Files = Rolldown.RolldownOutput['output']
type File = Files[number]

afterEach(() => void vi.unstubAllEnvs())

/** Builds the pages of the benchmark as a site would. */
async function buildPages(): Promise<Files> {
  const input = ['react', 'hawser'].map((page) => `${root}${page}.html`)
  const options = { write: false, rollupOptions: { input } } as const
  const built = await build({ root, configFile: false, logLevel: 'error', build: options })
  return (built as Rolldown.RolldownOutput).output
}

/** Returns the scripts and styles that a page loads at once. */
function loadedBy(page: string, files: Files): Set<File> {
  const loaded = new Set<File>(
    files.filter((file) => file.type === 'chunk' && file.isEntry && file.name === page),
  )
  for (const file of loaded) {
    if (file.type !== 'chunk') continue
    const names = [...file.imports, ...(file.viteMetadata?.importedCss ?? [])]
    for (const other of files) if (names.includes(other.fileName)) loaded.add(other)
  }
  return loaded
}

/** Returns the size of files as they are sent. */
function kibibytes(files: ReadonlySet<File>): number {
  const sizes = [...files].map(
    (file) => gzipSync(file.type === 'chunk' ? file.code : file.source, { level: 9 }).length,
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1024
}

test(`our button adds at most ${BUDGET_KIB} KiB to a page before \`load\`, with its own texts alone`, async () => {
  // Vitest's own would have React built for development.
  vi.stubEnv('NODE_ENV', 'production')
  const files = await buildPages()
  const [react, hawser] = [loadedBy('react', files), loadedBy('hawser', files)]
  const kib = kibibytes(hawser) - kibibytes(react)
  expect(kib).toBeGreaterThan(15)
  expect(kib).toBeLessThanOrEqual(BUDGET_KIB)
  const modules = [...hawser].flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  const texts = modules.filter((id) => /\/texts\/dist\/gen\//.test(id))
  expect(texts.map((id) => id.replace(/.*\/gen\//, ''))).toEqual(['en/buttons.js'])
}, 60_000)
