import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(root + path, 'utf8')
const guide = read('docs/migrate-from-appkit.md')

/** Files with what sites can name: exports, options, state, theme variables, elements and the methods of sign-in. */
const declarations = [
  /^core\/src\/exports\/(public|networks|cookie)\.ts$/,
  /^(?!core)\w+\/src\/exports\/\w+\.ts$/,
  /^core\/src\/(types\/\w+|connection\/disconnect|modal\/modal|networks\.gen)\.ts$/,
  /^client\/src\/gateway\.ts$/,
  /^react\/src\/(hooks|buttons)\/\w+\.tsx?$/,
  /^connectors\/src\/(walletConnect\/walletConnect|embedded\/embedded)\.ts$/,
  /^siwe\/src\/\w+\.ts$/,
  /^ui\/src\/theme\.ts$/,
  /^wagmi\/src\/createWagmiConfig\.ts$/,
  /^browser\/src\/elements\.ts$/,
]
const folders = readdirSync(`${root}packages`)
const known = new Set(folders.flatMap(sources).flatMap((path) => wordsOf(withoutComments(read(path)))))

/** Returns the files of a package that declare what sites can name. */
function sources(folder: string): string[] {
  if (!existsSync(`${root}packages/${folder}/src`)) return []
  return readdirSync(`${root}packages/${folder}/src`, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/src/${path}`)
    .filter((path) => declarations.some((declaration) => declaration.test(path)))
    .map((path) => `packages/${path}`)
}

/** Code in the columns about Hawser that is not a name of Hawser. */
const others = new Set([
  'mainnet',
  'bsc',
  'stx',
  'image_url',
  'mobile_link',
  'window.ethereum',
  'chains.nodes',
  'GET /getWallets',
  '<dialog>',
  'z-index',
  'initialized',
  'auth',
  'shallowRef',
  'embeddedWalletInfo',
])

interface Row {
  readonly about: string
  readonly code: readonly string[]
}

/** Returns the rows of the guide's tables, with the code of one column. */
function rows(column: number, text = guide): Row[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('|--'))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .map((cells) => ({ about: cells[1] ?? '', code: codeOf(cells[column] ?? '') }))
}

const codeOf = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
const section = (title: string) => guide.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''

/** Returns the names in a piece of code: `--hw-…`, elements, packages and identifiers. */
function wordsOf(code: string): string[] {
  return code.match(/--hw-[\w-]+|hawser-[\w-]+|[A-Za-z_$][\w$]*/g) ?? []
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}

const packages = new Set(folders.map((folder) => `@hawser/${folder}`))
const isKnown = (word: string) => known.has(word) || /^(hawser|listener|options|state|true|get)$/.test(word)

describe('the guide for sites with AppKit', () => {
  test('names only what Hawser has', () => {
    const tables = rows(2).filter(({ code }) => code.length > 0)
    const unknown = tables.flatMap(({ about, code }) =>
      code
        .filter((span) => !others.has(span) && !packages.has(span.replace(/^(@[\w-]+\/[\w-]+).*/, '$1')))
        .flatMap(wordsOf)
        .filter((word) => !isKnown(word))
        .map((word) => `${word}, for ${about}`),
    )
    expect(tables.length).toBeGreaterThan(100)
    expect(unknown).toEqual([])
  })

  test('lists every event, in both or only in AppKit', () => {
    const events = new Set(read('packages/core/src/types/events.ts').match(/(?<=')[A-Z_]{6,}(?=')/g))
    const both = rows(2, section('Events')).flatMap(({ code }) => code)
    const onlyAppKit = rows(3, section('Events')).flatMap(({ code }) =>
      code.filter((name) => /^[A-Z_]+$/.test(name)),
    )
    const ours = codeOf(section('Events').split('Hawser also has')[1] ?? '')
    expect([...both, ...ours].sort()).toEqual([...events].sort())
    expect(
      onlyAppKit.filter((name) => events.has(name) && name !== 'CONNECT_ERROR' && name !== 'SEND_ERROR'),
    ).toEqual([])
  })

  test('names theme variables of the code', () => {
    const named = rows(2, section('Theme variables')).flatMap(({ code }) => code.flatMap(wordsOf))
    const variables = named.filter((word) => word.startsWith('--'))
    expect(variables.length).toBeGreaterThan(5)
    expect(variables.filter((name) => !read('packages/ui/src/theme.ts').includes(`'${name}'`))).toEqual([])
  })

  test('names views of the code', () => {
    const views = section('Views')
      .split('\n')
      .filter((line) => line.endsWith('| the same names |'))
      .flatMap(codeOf)
    const router = read('packages/core/src/types/router.ts')
    expect(views.length).toBeGreaterThan(10)
    expect(views.filter((name) => !router.includes(`| '${name}'\n`))).toEqual([])
  })

  test('says of every option of createHawser what it replaces, or that AppKit has none', () => {
    const interfaces = withoutComments(read('packages/core/src/types/options.ts'))
    const options = [...interfaces.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name = '']) => name)
    const internal = ['isLegalCheckboxChecked', 'sdkType', 'sdkVersion', 'fetch', 'clock']
    const named = new Set(section('Options of `createAppKit`').match(/\w+/g))
    expect(new Set(options).size).toBeGreaterThan(40)
    expect(options.filter((name) => !named.has(name) && !internal.includes(name))).toEqual([])
  })
})
