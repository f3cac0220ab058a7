import { Metadata, TypeRegistry } from '@polkadot/types'
import assetHub from '@polkadot/types-support/metadata/v15/asset-hub-polkadot-hex'
import kusama from '@polkadot/types-support/metadata/v15/kusama-hex'
import substrate from '@polkadot/types-support/metadata/v16/substrate-hex'
import { expect, it, vi } from 'vitest'
import { encodeExtrinsic, longestSignature } from './extrinsic.ts'
import { Runtimes } from './runtime.ts'

const caipNetworkId = 'polkadot:68d56f15f85d3136970ec16946040bc1'
const genesis = '0x68d56f15f85d3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f'
const [from, to] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]

/** Returns the result of `state_getMetadata`, which the library has as an optional list of bytes. */
function bare(metadata: string): `0x${string}` {
  return `0x${metadata.slice(metadata.indexOf('6d657461'))}`
}

function nodeOf(metadata: string) {
  const version = { specVersion: 1, transactionVersion: 15 }
  const node = vi.fn(async (method: string) => {
    if (method === 'chain_getBlockHash') return genesis
    return method === 'state_getMetadata' ? bare(metadata) : { ...version }
  })
  return { node, version }
}

it.each([
  ['Asset Hub, whose fees can be paid in other assets', assetHub, 100_000_000n, 0],
  ['Kusama', kusama, 333_333_333n, 2],
  ['a node of today', substrate, 100_000_000_000_000n, 42],
])(
  'a transfer on %s is as the reference implementation reads it',
  async (_chain, metadata, deposit, prefix) => {
    const runtime = await new Runtimes().read({ caipNetworkId, node: nodeOf(metadata).node })
    expect(runtime).toMatchObject({
      existentialDeposit: deposit,
      prefix,
      specVersion: 1,
      transactionVersion: 15,
    })

    const terms = { nonce: 70, blockNumber: 1_000_001, blockHash: genesis }
    const call = runtime.transferCall(to, 12_345_678_901n)
    const extrinsic = encodeExtrinsic(runtime, call, from, longestSignature, terms)
    const registry = new TypeRegistry()
    registry.setMetadata(new Metadata(registry, bare(metadata)))
    const read = registry.createType('Extrinsic', extrinsic)
    expect(read.toU8a()).toEqual(extrinsic)
    expect(read.method.toHuman()).toMatchObject({ section: 'balances', method: 'transferKeepAlive' })
    expect(read.args.map((arg) => arg.toJSON())).toEqual([
      { id: registry.createType('AccountId32', to).toJSON() },
      12_345_678_901,
    ])
    expect(read.nonce.toNumber()).toBe(70)
    expect(read.tip.toNumber()).toBe(0)
    expect(read.era.asMortalEra.birth(1_000_001)).toBe(1_000_001)
  },
)

it('metadata is read once, and again after an upgrade of the runtime', async () => {
  const { node, version } = nodeOf(kusama)
  const runtimes = new Runtimes()
  const reads = () => node.mock.calls.filter(([method]) => method === 'state_getMetadata').length
  await Promise.all([runtimes.read({ caipNetworkId, node }), runtimes.read({ caipNetworkId, node })])
  expect(reads()).toBe(1)
  version.specVersion = 2
  expect(await runtimes.read({ caipNetworkId, node })).toMatchObject({ specVersion: 2 })
  expect(reads()).toBe(2)
})

it('a node of another chain is refused', async () => {
  const read = new Runtimes().read({
    caipNetworkId: 'polkadot:91b171bb158e2d3848fa23a9f1c25182',
    ...nodeOf(kusama),
  })
  await expect(read).rejects.toThrow('another chain')
})
