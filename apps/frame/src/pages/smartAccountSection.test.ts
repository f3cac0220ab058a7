// @vitest-environment jsdom

import { BundlerError, type GuardState, type Vault, type VaultUser } from '@hawser/vault'
import { h, render } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SmartAccountSection } from './SmartAccountSection.tsx'

const ADDRESS = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'
const CHAIN = 'eip155:1'

const paid = { maxFeePerGas: '0x3', maxPriorityFeePerGas: '0x1' }
const accounts = {
  chains: async () => [{ chainId: CHAIN, delegation: true }],
  isDelegated: vi.fn(async () => true),
  prepareRemoval: vi.fn(async (_chainId: string, _account: string, payer: string) => ({
    chainId: CHAIN,
    operation: payer === 'sponsor' ? undefined : paid,
    maxFee: payer === 'sponsor' ? 0n : 180_000n,
    delegate: undefined,
  })),
  sendRemoval: vi.fn(async (_prepared: object) => '0xid'),
  status: vi.fn(async () => ({ status: 200 })),
}

vi.mock('@hawser/vault', async (original) => ({
  ...(await original<object>()),
  createSmartAccounts: () => accounts,
  guardSheet({ changed }: { changed: (state: GuardState) => void }) {
    changed('armed')
    return { accepts: () => true, restart() {}, stop() {} }
  },
}))

const root = () => document.getElementById('root') as HTMLElement
const shows = (text: string) =>
  vi.waitFor(() => expect(root().textContent).toContain(text), { timeout: 5_000 })
const asks = async (name: string) => act(() => button(name).click())
const button = (name: string) =>
  [...root().querySelectorAll('button')].find(({ textContent }) => textContent === name) as HTMLButtonElement

beforeEach(async () => {
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => Response.json({ networks: [] })),
  )
  document.body.innerHTML = '<div id="root"></div>'
  const node = async (_: string, method: string) =>
    method === 'eth_getBlockByNumber' ? { baseFeePerGas: '0x1' } : '0x1'
  const props = {
    vault: { sign: vi.fn() } as unknown as Vault,
    user: { addresses: { eip155: ADDRESS } } as unknown as VaultUser,
    network: { projectId: 'p1', node, bundler: {} as never },
  }
  await act(() => render(h(SmartAccountSection, props), root()))
  await shows('Turn off')
})

afterEach(() => {
  render(null, root())
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

it('tells what is signed where a sponsor pays, and that the account is none any more', async () => {
  await asks('Turn off')
  await shows('You sign an authorization that removes the code from your account.')
  accounts.isDelegated.mockResolvedValueOnce(false)
  await asks('Turn off')
  await shows('Your account isn’t a smart account on any network.')
  expect(accounts.sendRemoval).toHaveBeenCalledOnce()
}, 10_000)

it('asks again before the account pays because the sponsor refused', async () => {
  accounts.sendRemoval.mockRejectedValueOnce(new BundlerError(-32603, 'The sponsor does not pay'))
  await asks('Turn off')
  await shows('A sponsor sends it and pays the network fee.')
  await asks('Turn off')
  await shows('The sponsor doesn’t pay now.')
  expect(accounts.prepareRemoval).toHaveBeenLastCalledWith(CHAIN, ADDRESS, 'account')
  expect(accounts.sendRemoval).toHaveBeenCalledOnce()
  accounts.isDelegated.mockResolvedValueOnce(false)
  await asks('Turn off')
  await shows('Your account isn’t a smart account on any network.')
  expect(accounts.sendRemoval).toHaveBeenLastCalledWith(
    expect.objectContaining({ operation: paid }),
    expect.anything(),
  )
}, 10_000)

it('does not ask the account to pay for what was sent but stays without effect', async () => {
  accounts.status.mockResolvedValueOnce({ status: 500 })
  await asks('Turn off')
  await shows('A sponsor sends it')
  await asks('Turn off')
  await shows('The smart account couldn’t be turned off')
  expect(accounts.prepareRemoval).toHaveBeenCalledOnce()
}, 10_000)
