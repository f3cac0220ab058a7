import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folders = [
  ...[
    'browser',
    'client',
    'connectors',
    'core',
    'frame',
    'react',
    'siwe',
    'texts',
    'ui',
    'vault',
    'wagmi',
    'walletconnect',
  ].map((name) => `packages/${name}/src`),
  'apps/frame/src',
  'apps/handoff/src',
]

/** Features that some browser of docs/browsers.md lacks or denies, as code names them. */
const features: Readonly<Record<string, RegExp>> = {
  'AbortSignal.any': /AbortSignal\.any\(/,
  'Array.fromAsync': /Array\.fromAsync/,
  BroadcastChannel: /new BroadcastChannel/,
  CompressionStream: /\b(Dec|C)ompressionStream/,
  Ed25519: /name: 'Ed25519'/,
  'Iterator helpers':
    /\.(values|keys|entries)\(\)\s*\.(map|filter|take|drop|flatMap|reduce|some|every|find|toArray)\(/,
  'Object.groupBy': /(Object|Map)\.groupBy/,
  PublicKeyCredential: /\bPublicKeyCredential\b/,
  'Promise.try': /Promise\.(try|withResolvers)/,
  SharedWorker: /new SharedWorker/,
  'Storage Access': /requestStorageAccess/,
  'Uint8Array in hex and base 64': /Uint8Array\.from(Hex|Base64)/,
  'URL.canParse': /URL\.(canParse|parse)\(/,
  WebAssembly: /\bWebAssembly\b/,
  'anchor-name': /anchor-name:|position-anchor:/,
  'clipboard.readText': /clipboard\.readText/,
  'clipboard.writeText': /clipboard\.writeText/,
  closedby: /closedBy=|closedby=/,
  'content-visibility': /content-visibility:/,
  'field-sizing': /field-sizing:/,
  'interpolate-size': /interpolate-size:|calc-size\(/,
  keepalive: /keepalive: true/,
  'light-dark': /light-dark\(/,
  'navigator.connection': /\{ connection \} = navigator|navigator\.connection/,
  'navigator.locks': /navigator\.locks/,
  'navigator.storage': /navigator\.storage/,
  nesting: /^\s*&/,
  popover: /popover="/,
  'publickey-credentials-create': /publickey-credentials-create/,
  requestIdleCallback: /requestIdleCallback/,
  scheduler: /\bscheduler\.(yield|postTask)/,
  scope: /@scope\b/,
  'scrollbar-gutter': /'scrollbar-gutter'/,
  startViewTransition: /startViewTransition/,
  'starting-style': /@starting-style/,
  structuredClone: /structuredClone\(/,
  'text-wrap': /text-wrap:/,
  trackVisibility: /trackVisibility:/,
  trustedTypes: /\btrustedTypes\b/,
  vibrate: /navigator\.vibrate/,
  wakeLock: /\bwakeLock\b/,
}

/** Returns the lines of code, without comments, tests and code that only tests use. */
function code(): string[] {
  return folders.flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, withFileTypes: true })
      .filter(
        ({ name, parentPath }) => /(?<!\.test)\.(tsx?|css)$/.test(name) && !parentPath.includes('/testing'),
      )
      .flatMap(({ name, parentPath }) => readFileSync(join(parentPath, name), 'utf8').split('\n'))
      .filter((line) => !/^\s*(\/\/|\/?\*)/.test(line)),
  )
}

test('docs/browsers.md says what happens without each feature that some browser lacks', () => {
  const lines = code()
  const used = Object.keys(features).filter((name) => lines.some((line) => features[name]?.test(line)))
  const section = readFileSync(`${root}docs/browsers.md`, 'utf8')
    .split(/^## /m)
    .find((text) => text.includes('without it'))
  const rows = section?.split('\n').filter((line) => line.startsWith('| `')) ?? []
  const documented = Object.keys(features).filter((name) =>
    rows.some((row) => row.split('|')[1]?.includes(`\`${name}\``)),
  )
  expect(lines.length).toBeGreaterThan(10_000)
  expect(documented).toEqual(used)
})
