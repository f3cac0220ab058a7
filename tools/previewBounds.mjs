// Writes packages/vault/src/wallet/previewBounds.gen.ts from the rules of the fields of hawser.preview.v1, so that the frame refuses what the service
// would not preview. The generated TypeScript of the messages leaves the rules out.
//   node tools/previewBounds.mjs
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'

const proto = 'proto/hawser/preview/v1/preview.proto'
const target = new URL('../packages/vault/src/wallet/previewBounds.gen.ts', import.meta.url)
const messages = ['SimulateRequest', 'Call']

const image = JSON.parse(
  execFileSync('node_modules/.bin/buf', ['build', '--path', proto, '-o', '-#format=json'], {
    cwd: new URL('..', import.meta.url),
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  }),
)
const { messageType } = image.file.find(({ name }) => proto.endsWith(name))
const fields = messages.flatMap((message) => messageType.find(({ name }) => name === message).field)

const bounds = fields.flatMap(({ jsonName, name, options = {} }) => {
  const { string = {}, repeated = {} } = options['[buf.validate.field]'] ?? {}
  const { maxLen, maxBytes, pattern } = { ...repeated.items?.string, ...string }
  const numbers = Object.entries({ maxItems: repeated.maxItems, maxLen, maxBytes })
  const entries = numbers.flatMap(([rule, text]) => (text === undefined ? [] : [[rule, Number(text)]]))
  const bound = Object.fromEntries([...entries, ...(pattern === undefined ? [] : [['pattern', pattern]])])
  return Object.keys(bound).length === 0 ? [] : [[jsonName ?? name, bound]]
})
if (new Set(bounds.map(([name]) => name)).size < bounds.length) throw new Error('two fields have one name')

await writeFile(
  target,
  `// Generated from ${proto} by tools/previewBounds.mjs. DO NOT EDIT.

/** The rules of a field: items of a list, characters, bytes of UTF-8, and a regular expression for the text, or for each text of a list. */
export interface Bound {
  readonly maxItems?: number
  readonly maxLen?: number
  readonly maxBytes?: number
  readonly pattern?: string
}

/** The rules of what a request for a preview has, by field. */
export const previewBounds: Readonly<Record<string, Bound>> = ${JSON.stringify(Object.fromEntries(bounds), null, 2)}
`,
)
