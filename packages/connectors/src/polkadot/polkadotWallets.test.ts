import type { Connector } from '@hawser/core'
import { afterEach, expect, it, vi } from 'vitest'
import { list } from '../testing/listing.ts'
import { polkadotWallets } from './polkadotWallets.ts'

const ALICE = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY'
const NETWORK = 'polkadot:91b171bb158e2d3848fa23a9f1c25182'

afterEach(() => vi.unstubAllGlobals())

function inject(enable?: () => Promise<unknown>) {
  const accounts = [
    { address: ALICE, name: 'Alice', type: 'sr25519' },
    { address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', type: 'ethereum' },
  ]
  const subscribe = vi.fn((_listener: (list: typeof accounts) => void) => () => undefined)
  const signRaw = vi.fn(async (_raw: unknown) => ({ signature: '0x01' }))
  const signPayload = vi.fn(async (_payload: unknown) => ({ signature: '0x02' }))
  const injected = { accounts: { get: async () => accounts, subscribe }, signer: { signRaw, signPayload } }
  const extension = { version: '1', enable: vi.fn(enable ?? (async (_site: string) => injected)) }
  vi.stubGlobal('injectedWeb3', { 'polkadot-js': extension, broken: {}, nothing: null })
  return { extension, subscribe, signRaw, signPayload }
}

async function open() {
  const { connectors } = list(polkadotWallets())
  return (connectors[0] as Connector<'polkadot'>).getProvider()
}

it('lists the extensions of the page', () => {
  inject()
  expect(list(polkadotWallets()).connectors).toMatchObject([
    { id: 'polkadot:polkadot-js', name: 'Polkadot.js', chain: 'polkadot', type: 'ANNOUNCED' },
  ])
  vi.unstubAllGlobals()
  expect(list(polkadotWallets()).connectors).toEqual([])
})

it('lists the extensions that are injected until the page has loaded, each once', () => {
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  const listing = list(polkadotWallets())
  expect(listing.connectors).toEqual([])
  inject()
  page.dispatchEvent(new Event('load'))
  page.dispatchEvent(new Event('load'))
  expect(listing.connectors).toMatchObject([{ id: 'polkadot:polkadot-js' }])
})

it('shares the accounts with their names, now and as they change', async () => {
  const { extension, subscribe } = inject()
  const provider = await open()
  expect(await provider.connect()).toEqual([{ address: ALICE, type: 'eoa', label: 'Alice' }])
  expect(extension.enable).toHaveBeenCalledOnce()
  const changed = vi.fn()
  provider.onAccounts(changed)
  subscribe.mock.calls[0]?.[0]([])
  expect(changed).toHaveBeenCalledWith([])
})

it('signs texts as bytes, and extrinsics', async () => {
  const { signRaw, signPayload } = inject()
  const provider = await open()
  await expect(provider.signMessage(ALICE, new Uint8Array())).rejects.toThrow('signRaw')
  await provider.connect()
  expect(await provider.signMessage(ALICE, new TextEncoder().encode('hi'))).toBe('0x01')
  expect(signRaw).toHaveBeenCalledWith({ address: ALICE, data: '0x6869', type: 'bytes' })
  expect(await provider.signPayload(ALICE, { nonce: '0x0' }, NETWORK)).toBe('0x02')
  expect(signPayload).toHaveBeenCalledWith({ address: ALICE, nonce: '0x0' })
})

it('says that the visitor declined', async () => {
  inject(() => Promise.reject(new Error('Rejected')))
  await expect((await open()).connect()).rejects.toMatchObject({ code: 4001 })
})
