// Packs the public packages as tarballs: without tests, without the entries and scripts that only this workspace can use, and with the licence, the
// notice and the addresses of the project.
//
//   node tools/pack.mjs <folder for the tarballs>
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const names = [
  'client',
  'texts',
  'ui',
  'siwe',
  'webhooks',
  'walletconnect',
  'frame',
  'core',
  'connectors',
  'react',
  'wagmi',
  'browser',
  'create-hawser',
]
const repository = 'https://github.com/hawser-dev/hawser'
const root = resolve(import.meta.dirname, '..')
const { engines } = readManifest(root)

const destination = resolve(process.argv[2] ?? '')
if (process.argv.length !== 3) throw new Error('usage: node tools/pack.mjs <folder>')
mkdirSync(destination, { recursive: true })

const staging = mkdtempSync(join(tmpdir(), 'hawser-pack-'))
try {
  const folders = names.map(stage)
  execFileSync('npm', ['pack', '--silent', '--pack-destination', destination, ...folders], {
    cwd: staging,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
} finally {
  rmSync(staging, { recursive: true })
}

/**
 * Copies what is published of a package.
 *
 * @param {string} name of its folder
 * @returns {string} the copy
 */
function stage(name) {
  const from = join(root, 'packages', name)
  const folder = join(staging, name)
  const manifest = readManifest(from)
  if (manifest.scripts?.prepack)
    execFileSync('npm', ['run', '--silent', 'prepack'], { cwd: from, stdio: 'inherit' })
  for (const part of manifest.files ?? [])
    cpSync(join(from, part), join(folder, part), { recursive: true, filter: isPublished })
  for (const file of ['README.md', 'LICENSE']) cpSync(join(from, file), join(folder, file))
  cpSync(join(root, 'NOTICE'), join(folder, 'NOTICE'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published(manifest, name), undefined, 2)}\n`)
  return folder
}

/**
 * @param {Record<string, any>} manifest
 * @param {string} name
 */
function published({ scripts: _, devDependencies: __, exports, files = [], ...rest }, name) {
  return {
    ...rest,
    homepage: `${repository}/tree/main/packages/${name}`,
    repository: { type: 'git', url: `git+${repository}.git`, directory: `packages/${name}` },
    bugs: `${repository}/issues`,
    engines: rest.engines ?? engines,
    files: [...files, 'NOTICE'],
    ...(exports && { exports: publishedExports(exports) }),
  }
}

/**
 * Removes the condition `source`, which is the workspace's, and entries that have nothing else.
 *
 * @param {Record<string, string | Record<string, string>>} exports
 */
function publishedExports(exports) {
  const entries = Object.entries(exports).flatMap(([entry, target]) => {
    if (typeof target === 'string') return [[entry, target]]
    const { source: _, ...conditions } = target
    return Object.keys(conditions).length > 0 ? [[entry, conditions]] : []
  })
  return Object.fromEntries(entries)
}

/** @param {string} path */
function isPublished(path) {
  return !/\.test\.tsx?$|[\\/](testing|__snapshots__)$|[\\/]testing\.ts$/.test(path) && hasSource(path)
}

/**
 * Reports whether a compiled file has its source: the compiler leaves the output of a source that was removed.
 *
 * @param {string} path
 */
function hasSource(path) {
  const [, folder, name] = /^(.*)[\\/]dist[\\/](.*?)(?:\.d)?\.[jt]s(?:\.map)?$/.exec(path) ?? []
  // A bundle has a form of its own.
  if (folder === undefined || folder.endsWith('browser')) return true
  return ['.ts', '.tsx'].some((extension) => existsSync(join(folder, 'src', `${name}${extension}`)))
}

/** @param {string} folder */
function readManifest(folder) {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) throw new Error(`${file} does not exist`)
  return JSON.parse(readFileSync(file, 'utf8'))
}
