import { fileURLToPath } from 'node:url'
import { build, defaultClientConditions, type Rolldown } from 'vite'
import { beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../bench/page/fixture/', import.meta.url))

/** Modules and libraries of one namespace alone. */
const owned = {
  eip155: /\/core\/src\/evm\//,
  solana:
    /\/(core\/src\/solana|connectors\/src\/(solana|standard))\/|node_modules\/(@solana|@solana-program|@wallet-standard)\//,
  bip122: /\/(core\/src\/bitcoin|connectors\/src\/bitcoin)\/|node_modules\/@scure\/btc-signer\//,
  polkadot: /\/(core\/src\/polkadot|connectors\/src\/polkadot)\/|node_modules\/(@polkadot-api\/|scale-ts\/)/,
}

type Chunks = ReadonlyMap<string, Rolldown.OutputChunk>
let chunks: Chunks

beforeAll(async () => {
  const built = (await build({
    root,
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['source', ...defaultClientConditions] },
    build: { write: false, minify: false, rollupOptions: { input: `${root}hawser.html` } },
  })) as Rolldown.RolldownOutput
  const found = built.output.filter((file) => file.type === 'chunk')
  chunks = new Map(found.map((chunk) => [chunk.fileName, chunk]))
}, 120_000)

/** Returns the chunks that are loaded with some, by static imports only. */
function loadedWith(names: readonly string[]): Set<string> {
  const loaded = new Set<string>()
  const queue = [...names]
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (loaded.has(name)) continue
    loaded.add(name)
    queue.push(...(chunks.get(name)?.imports ?? []))
  }
  return loaded
}

function modulesOf(names: Iterable<string>): string[] {
  return [...names].flatMap((name) => chunks.get(name)?.moduleIds ?? [])
}

/** Reports whether modules belong to a namespace, except for hash functions that they use. */
function isOf(modules: RegExp, ids: readonly string[]): boolean {
  const others = ids.filter((id) => !id.includes('node_modules/@noble/hashes/'))
  return others.length > 0 && others.every((id) => modules.test(id))
}

const entries = () => [...chunks.values()].filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName)
const adapterOf = (path: string) =>
  [...chunks.values()]
    .filter(({ facadeModuleId }) => facadeModuleId?.endsWith(path))
    .map((chunk) => chunk.fileName)

describe('a site that lists EVM networks alone', () => {
  test('loads no adapter before it is used', () => {
    const modules = modulesOf(loadedWith(entries()))
    expect(modules.some((id) => id.endsWith('/core/src/createHawser.ts'))).toBe(true)
    expect(modules.filter((id) => id.endsWith('Adapter.ts'))).toEqual([])
  })

  test('loads nothing of other namespaces with any of its chunks', () => {
    // Everything that is loaded on demand, except for the adapters of other namespaces and what only they
    // load.
    const others = [owned.solana, owned.bip122, owned.polkadot]
    const isOther = ({ moduleIds, facadeModuleId }: Rolldown.OutputChunk) =>
      others.some((modules) => modules.test(facadeModuleId ?? '') || isOf(modules, moduleIds))
    const own = [...chunks.values()].filter((chunk) => !isOther(chunk)).map(({ fileName }) => fileName)
    const evm = adapterOf('/core/src/evm/evmAdapter.ts')
    expect(evm).toHaveLength(1)
    const modules = modulesOf(loadedWith([...entries(), ...evm]))
    for (const other of others) {
      expect(modules.filter((id) => other.test(id))).toEqual([])
      expect(modulesOf(own).filter((id) => other.test(id))).toEqual([])
    }
  })
})

test('the adapter of Solana loads nothing of EVM, and the code of transfers only for a send', () => {
  const adapter = adapterOf('/core/src/solana/solanaAdapter.ts')
  expect(adapter).toHaveLength(1)
  const modules = modulesOf(loadedWith(adapter))
  expect(modules.filter((id) => owned.eip155.test(id))).toEqual([])
  expect(modules.filter((id) => id.endsWith('/solanaTransfers.ts'))).toEqual([])
})

test('the adapter of Polkadot loads the code that reads metadata only for a send', () => {
  const adapter = adapterOf('/core/src/polkadot/polkadotAdapter.ts')
  expect(adapter).toHaveLength(1)
  const libraries = (names: Iterable<string>) =>
    modulesOf(names).filter((id) => id.includes('/@polkadot-api/'))
  expect(libraries(loadedWith(adapter))).toEqual([])
  expect(libraries(loadedWith(adapterOf('/core/src/polkadot/runtime.ts')))).not.toEqual([])
})
