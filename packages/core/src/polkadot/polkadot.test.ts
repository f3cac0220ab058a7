import { expect, it, vi } from 'vitest'
import { createFakeClock } from '../testing/fakeClock.ts'
import type { CaipNetworkId } from '../types/network.ts'
import { accountId } from './address.ts'
import { createPolkadotAdapter } from './polkadotAdapter.ts'

const caipNetworkId: CaipNetworkId = 'polkadot:91b171bb158e2d3848fa23a9f1c25182'
const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY'
const alicePolkadot = '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5'
const aliceKey = 'd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d'
const storageKey = `0x26aa394eea5630e07c48ae0c95cef7f9b99d880ec681799c0cf30e8886371da9de1e86a9a8c739864cf3cc5ec2bea59f${aliceKey}`

/** A value of System.Account: four counters, then the free, reserved and frozen balances and flags. */
const account = `0x${'01000000'.repeat(4)}00e40b5402000000${'00'.repeat(8)}${'00'.repeat(48)}`

function open(value: unknown) {
  const node = vi.fn(async (_method: string, _params: unknown) => value)
  const adapter = createPolkadotAdapter(createFakeClock(), () => node)
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
  expect(assets).toMatchObject([{ symbol: 'DOT', quantity: { decimals: '10', numeric: '1' } }])
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

it('moves nothing', async () => {
  const transfers = await open(account).adapter.transfers()
  expect(transfers.isAddress(alice)).toBe(true)
  const draft = { from: alice, to: alice, amount: 1n }
  const quote = transfers.quote({ caipNetworkId, node: open(null).node as never }, draft)
  await expect(quote).rejects.toThrow('Unsupported chain')
})
