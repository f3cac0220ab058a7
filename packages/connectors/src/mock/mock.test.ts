import { describe, expect, it, vi } from 'vitest'
import type { WalletFeatures } from '../pageWallet/pageWallet.ts'
import { list, providerOf } from '../testing/listing.ts'
import { mock } from './mock.ts'

const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

const walletWith = (features: WalletFeatures = {}) =>
  providerOf(mock({ accounts: [ALICE], chainId: 1, chainIds: [10], features }))

describe('the mock wallet', () => {
  it('names its accounts only to a site it is connected to', async () => {
    const wallet = await walletWith()
    expect(await wallet.request({ method: 'eth_accounts' })).toEqual([])
    expect(await wallet.request({ method: 'eth_requestAccounts' })).toEqual([ALICE])
    expect(await wallet.request({ method: 'eth_accounts' })).toEqual([ALICE])
    await wallet.request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] })
    expect(await wallet.request({ method: 'eth_accounts' })).toEqual([])
  })

  it('switches to known chains, and notifies the page', async () => {
    const wallet = await walletWith()
    const chainChanged = vi.fn()
    wallet.on?.('chainChanged', chainChanged)
    await wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0xa' }] })
    expect(chainChanged).toHaveBeenCalledExactlyOnceWith('0xa')
    expect(await wallet.request({ method: 'eth_chainId' })).toBe('0xa')
  })

  it('returns 4902 for unknown chains until they are added', async () => {
    const wallet = await walletWith()
    const params = [{ chainId: '0x89' }]
    await expect(wallet.request({ method: 'wallet_switchEthereumChain', params })).rejects.toMatchObject({
      code: 4902,
    })
    await wallet.request({ method: 'wallet_addEthereumChain', params })
    expect(await wallet.request({ method: 'eth_chainId' })).toBe('0x89')
  })

  it('signs nothing for a site it is not connected to', async () => {
    const wallet = await walletWith()
    await expect(wallet.request({ method: 'personal_sign', params: ['0x00', ALICE] })).rejects.toMatchObject({
      code: 4100,
    })
  })

  it('is off the list once it is stopped', () => {
    const { connectors, stop } = list(mock({ accounts: [ALICE], chainId: 1 }))
    expect(connectors).toMatchObject([{ id: 'mock', type: 'EXTERNAL' }])
    stop()
    expect(connectors).toEqual([])
  })
})

describe('its failures', () => {
  it.each([
    ['connectError', { method: 'eth_requestAccounts' }],
    ['switchChainError', { method: 'wallet_switchEthereumChain', params: [{ chainId: '0xa' }] }],
    ['signError', { method: 'personal_sign', params: ['0x00', ALICE] }],
    ['sendError', { method: 'eth_sendTransaction', params: [{ from: ALICE }] }],
  ] as const)(
    '%s declines as a visitor would, and may be switched while the page runs',
    async (name, request) => {
      const features: WalletFeatures = {}
      const wallet = await walletWith(features)
      await wallet.request({ method: 'eth_requestAccounts' })
      features[name] = true
      await expect(wallet.request(request)).rejects.toMatchObject({ code: 4001 })
      features[name] = new Error('wallet broke')
      await expect(wallet.request(request)).rejects.toThrow('wallet broke')
      features[name] = false
      await wallet.request(request)
    },
  )
})
