import { expect, it, vi } from 'vitest'
import { createHawserStorage } from '../storage/hawserStorage.ts'
import { createFakeClock } from '../testing/fakeClock.ts'
import type { AccountEntry } from '../types/account.ts'
import type { CaipNetworkId, Network } from '../types/network.ts'
import { accountId, addressOf } from './address.ts'
import { describeDispatchError } from './dispatchError.ts'
import { encodeExtrinsic, longestSignature, parseSignature } from './extrinsic.ts'
import { createPolkadotAdapter } from './polkadotAdapter.ts'
import type { Extension, Runtime } from './runtime.ts'

const caipNetworkId: CaipNetworkId = 'polkadot:91b171bb158e2d3848fa23a9f1c25182'
const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY'
const alicePolkadot = '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5'
const aliceKusama = 'HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F'
const aliceKey = 'd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d'
const storageKey = `0x26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9de1e86a9a8c739864cf3cc5ec2bea59f${aliceKey}`

/** A value of System.Account: four counters, then the free, reserved and frozen balances and flags. */
const account = `0x${'01000000'.repeat(4)}00e40b5402000000${'00'.repeat(8)}${'00'.repeat(48)}`

function open(value: unknown) {
  const node = vi.fn(async (_method: string, _params: unknown) => value)
  const clock = createFakeClock()
  const adapter = createPolkadotAdapter(clock, createHawserStorage(clock), {
    nodeOf: () => node,
    iconOf: (id) => `/icons/${id}`,
  })
  return { node, adapter, balance: () => adapter.nativeBalance({ caipNetworkId, node }, alice) }
}

it.each([
  ['an address with the prefix of any network', alice, aliceKey],
  ['an address of Polkadot', alicePolkadot, aliceKey],
  ['an address with a wrong letter', alice.replace('Grw', 'Grx'), undefined],
  ['an address of Solana', 'So11111111111111111111111111111111111111112', undefined],
  ['an address of an EVM chain', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', undefined],
  ['nothing', '', undefined],
])('%s is read by its checksum', (_what, address, key) => {
  const id = accountId(address)
  expect(id && Buffer.from(id).toString('hex')).toBe(key)
})

it('reads the free balance from the storage of the chain', async () => {
  const { node, adapter, balance } = open(account)
  expect(await balance()).toBe(10_000_000_000n)
  expect(node).toHaveBeenCalledWith('state_getStorage', [storageKey], undefined)
  const nativeCurrency = { name: 'Polkadot', symbol: 'DOT', decimals: 10 }
  const assets = await adapter.walletAssets?.({} as never, alice, { caipNetworkId, nativeCurrency } as never)
  expect(assets).toMatchObject([
    { symbol: 'DOT', quantity: { decimals: '10', numeric: '1' }, iconUrl: `/icons/${caipNetworkId}` },
  ])
})

it.each([
  ['an account that does not exist has nothing', null, 0n],
  ['a value that is too short is an error', '0x0100', undefined],
  ['a value that is no hex is an error', `0x${'zz'.repeat(40)}`, undefined],
])('%s', async (_behaviour, value, expected) => {
  const { balance } = open(value)
  if (expected === undefined) await expect(balance()).rejects.toThrow()
  else expect(await balance()).toBe(expected)
})

it.each([
  [0, alicePolkadot],
  [42, alice],
  [2, aliceKusama],
  [1_284, 'VdvKmYJfD4VXA9fzz1SbmCo2eYHSzUFbaDCZSuaNKJAe8YNg6'],
])('an address is written with prefix %d', (prefix, address) => {
  expect(addressOf(Buffer.from(aliceKey, 'hex'), prefix)).toBe(address)
})

it('a failed extrinsic is described by what its chain says, or else by its name', () => {
  expect(describeDispatchError({ kind: 'Token', name: 'BelowMinimum', docs: '' })).toContain('less than')
  const docs = 'Vesting balance too high to send value.'
  expect(describeDispatchError({ kind: 'Balances', name: 'VestingBalance', docs })).toBe(docs)
  expect(describeDispatchError({ kind: 'BadOrigin', name: '', docs: '' })).toBe(
    'The network refused it: BadOrigin.',
  )
})

it.each([
  ['a signature without its kind', `0x${'01'.repeat(64)}`],
  ['one of an unknown kind', `0x03${'01'.repeat(64)}`],
  ['an ECDSA signature without the recovery byte', `0x02${'01'.repeat(64)}`],
  ['a text', 'signed'],
])('%s is not accepted', (_what, signature) => {
  expect(() => parseSignature(signature)).toThrow('no signature')
})

it('an extrinsic is refused where the chain has an extension that is not known', () => {
  const extensions = [{ identifier: 'CheckLuck', isEmpty: false }]
  const terms = { nonce: 0, blockNumber: 0, blockHash: '0x' }
  const encode = (known: readonly Extension[]) =>
    encodeExtrinsic(
      { extensions: known } as Runtime,
      new Uint8Array(),
      new Uint8Array(32),
      longestSignature,
      terms,
    )
  expect(() => encode(extensions)).toThrow('CheckLuck')
  expect(encode([{ identifier: 'CheckLuck', isEmpty: true }])).toHaveLength(102)
})

it('accounts are shown as the network writes them, and the wallet is called as it writes them', async () => {
  const { adapter } = open(account)
  const shared: readonly AccountEntry[] = [{ address: alice, type: 'eoa', label: 'Alice' }]
  let changed: (accounts: readonly AccountEntry[]) => void = () => undefined
  const wallet = {
    connect: async () => shared,
    onAccounts: (listener: typeof changed) => {
      changed = listener
      return () => undefined
    },
    signMessage: vi.fn(async () => '0x01'),
    signPayload: vi.fn(async () => '0x02'),
  }
  const connector = {
    id: 'w',
    name: 'W',
    type: 'ANNOUNCED',
    chain: 'polkadot',
    getProvider: async () => wallet,
  } as const
  const session = await adapter.connect(connector, { caipNetworkId } as Network)
  expect(session.accounts).toEqual([{ address: alicePolkadot, type: 'eoa', label: 'Alice' }])
  await adapter.signMessage(session, alicePolkadot, 'hi', caipNetworkId)
  expect(wallet.signMessage).toHaveBeenCalledWith(alice, expect.anything())
  await session.provider.signPayload(alicePolkadot, { tip: '0x0' }, caipNetworkId)
  expect(wallet.signPayload).toHaveBeenCalledWith(alice, { tip: '0x0' }, caipNetworkId)

  const accountsChanged = vi.fn()
  adapter.watch(session, { accountsChanged } as never)
  changed([{ address: alice, type: 'eoa' }])
  expect(accountsChanged).toHaveBeenCalledWith([{ address: alicePolkadot, type: 'eoa' }])

  const move = (id: string) => adapter.switchNetwork?.(session, { caipNetworkId: id } as Network)
  await move('polkadot:b0a8d493285c2df73290dfb7e61f870f')
  expect(accountsChanged).toHaveBeenLastCalledWith([{ address: aliceKusama, type: 'eoa' }])
  await adapter.signMessage(session, aliceKusama, 'hi', caipNetworkId)
  expect(wallet.signMessage).toHaveBeenLastCalledWith(alice, expect.anything())
  await move('polkadot:00')
  expect(accountsChanged).toHaveBeenLastCalledWith([{ address: alice, type: 'eoa' }])

  const other = await adapter.connect(connector, { caipNetworkId: 'polkadot:00' } as unknown as Network)
  expect(other.accounts).toEqual(shared)
})
