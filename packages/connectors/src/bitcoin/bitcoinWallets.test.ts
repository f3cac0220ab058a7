import type { BitcoinProvider, CaipNetworkId, Connector } from '@hawser/core'
import { getWallets } from '@wallet-standard/app'
import type { Wallet } from '@wallet-standard/base'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Listing, list } from '../testing/listing.ts'
import { bitcoinWallets } from './bitcoinWallets.ts'

const MAINNET = 'bip122:000000000019d6689c085ae165831e93'
const TESTNET = 'bip122:000000000933ea01ad0ee984209779ba'
const PAYMENT = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const ORDINAL = 'bc1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5sxq8lt3'
const psbt = new Uint8Array([112, 115, 98, 116])
const signed = new Uint8Array([1, 2, 3])

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
  vi.unstubAllGlobals()
})

async function listed(...wallets: Wallet[]): Promise<Listing> {
  ends.push(...wallets.map((wallet) => getWallets().register(wallet)))
  const listing = list(bitcoinWallets())
  ends.push(listing.stop)
  await vi.dynamicImportSettled()
  return listing
}

async function providerOf({ connectors }: Listing): Promise<BitcoinProvider> {
  return (connectors.at(-1) as Connector<'bip122'>).getProvider()
}

describe('a wallet that registers itself', () => {
  function walletOf(purposes: readonly (string | undefined)[] = ['ordinals', 'payment']) {
    const accounts = [ORDINAL, PAYMENT].map((address, index) => ({
      address,
      publicKey: new Uint8Array([2, 255]),
      chains: ['bitcoin:mainnet' as const],
      features: [],
      ...(purposes[index] && { purpose: purposes[index] }),
    }))
    const signTransaction = vi.fn(async (_input: unknown) => [{ signedPsbt: signed }])
    const wallet: Wallet = {
      version: '1.0.0',
      name: 'Example',
      icon: 'data:image/svg+xml;base64,PHN2Zy8+',
      chains: ['bitcoin:mainnet'],
      accounts,
      features: {
        'bitcoin:connect': { version: '1.0.0', connect: async () => ({ accounts }) },
        'bitcoin:signMessage': { version: '1.0.0', signMessage: async () => [{ signature: signed }] },
        'bitcoin:signTransaction': { version: '1.0.0', signTransaction },
      },
    }
    return { wallet, accounts, signTransaction }
  }

  it('is listed, and one without transactions is not', async () => {
    const { wallet } = walletOf()
    const features = { 'bitcoin:connect': wallet.features['bitcoin:connect'] }
    const { connectors } = await listed(wallet, { ...wallet, name: 'Watcher', features })
    expect(connectors).toMatchObject([
      { id: 'bip122:Example', name: 'Example', chain: 'bip122', type: 'ANNOUNCED' },
    ])
  })

  it.each([
    ['names purposes', ['ordinals', 'payment']],
    ['does not', [undefined, undefined]],
  ])('that %s shares the address for payments first', async (_behaviour, purposes) => {
    const provider = await providerOf(await listed(walletOf(purposes).wallet))
    const entries = [
      { address: PAYMENT, type: 'payment', label: 'Payments', publicKey: '02ff' },
      { address: ORDINAL, type: 'ordinal', label: 'Ordinals', publicKey: '02ff' },
    ]
    expect(await provider.connect()).toEqual(entries)
    expect(await provider.connect({ isSilent: true })).toEqual(entries)
    expect(provider.networks).toEqual([MAINNET])
  })

  it('shares no accounts of another network', async () => {
    const provider = await providerOf(await listed(walletOf().wallet))
    const connect = (caipNetworkId: CaipNetworkId) => provider.connect({ caipNetworkId })
    expect(await connect(MAINNET)).toHaveLength(2)
    expect(await connect(TESTNET)).toEqual([])
  })

  it('signs inputs of a transaction with one account', async () => {
    const { wallet, accounts, signTransaction } = walletOf()
    const provider = await providerOf(await listed(wallet))
    expect(await provider.signPsbt(PAYMENT, psbt, [0, 1], MAINNET)).toEqual(signed)
    expect(signTransaction).toHaveBeenCalledWith({
      psbt,
      inputsToSign: [{ account: accounts[1], signingIndexes: [0, 1] }],
      chain: 'bitcoin:mainnet',
    })
    expect(await provider.signMessage(PAYMENT, 'text')).toBe('AQID')
    await expect(provider.signMessage('bc1q', 'text')).rejects.toThrow('no such account')
  })

  it('that was declined says so', async () => {
    const { wallet } = walletOf()
    const connect = () => Promise.reject(new Error('User rejected the request'))
    const features = { ...wallet.features, 'bitcoin:connect': { version: '1.0.0', connect } }
    const provider = await providerOf(await listed({ ...wallet, features }))
    await expect(provider.connect()).rejects.toMatchObject({ code: 4001 })
  })
})

describe('a wallet of window.btc_providers', () => {
  const addresses = [
    { address: ORDINAL, publicKey: 'ff', purpose: 'ordinals' },
    { address: PAYMENT, publicKey: '02ff', purpose: 'payment' },
    { address: 'SP2J6', purpose: 'stacks' },
  ]

  function inject(answers: Record<string, unknown>) {
    const request = vi.fn(async (method: string, _params?: unknown) => answers[method])
    const listeners = new Map<string, () => void>()
    const addListener = (event: string, listener: () => void) => listeners.set(event, listener) && undefined
    vi.stubGlobal('Example', { BitcoinProvider: { request, addListener } })
    const entry = { id: 'Example.BitcoinProvider', name: 'Sats' }
    const throwing = {
      get id() {
        throw new Error('No id')
      },
    }
    vi.stubGlobal('btc_providers', [throwing, entry, { id: 'Nothing.There', name: 'Gone' }, null, 'text'])
    return { request, listeners }
  }

  it('connects with the addresses that pay and that hold ordinals', async () => {
    const result = { result: addresses }
    inject({ getAccounts: result, wallet_getAccount: { result: { addresses } } })
    const listing = await listed()
    expect(listing.connectors.map(({ id }) => id)).toEqual(['bip122:Sats'])
    const provider = await providerOf(listing)
    const entries = [
      { address: PAYMENT, type: 'payment', label: 'Payments', publicKey: '02ff' },
      { address: ORDINAL, type: 'ordinal', label: 'Ordinals', publicKey: 'ff' },
    ]
    expect(await provider.connect()).toEqual(entries)
    expect(await provider.connect({ isSilent: true })).toEqual(entries)
  })

  it('shares no accounts of another network that it changes to', async () => {
    const answers: Record<string, unknown> = { getAccounts: { result: addresses } }
    const { listeners } = inject(answers)
    const provider = await providerOf(await listed())
    expect(await provider.connect({ caipNetworkId: MAINNET })).toHaveLength(2)
    const changed = vi.fn()
    provider.onAccounts(changed)
    const onTestnet = { address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', purpose: 'payment' }
    answers.wallet_getAccount = { result: { addresses: [onTestnet] } }
    listeners.get('networkChange')?.()
    await vi.waitFor(() => expect(changed).toHaveBeenCalledWith([]))
  })

  it('is not connected silently without a permission', async () => {
    inject({ wallet_getAccount: { error: { code: -32002, message: 'Access denied' } } })
    const provider = await providerOf(await listed())
    expect(await provider.connect({ isSilent: true })).toEqual([])
  })

  it('signs texts and transactions', async () => {
    const { request } = inject({
      signMessage: { result: { signature: 'AQID' } },
      signPsbt: { result: { psbt: 'AQID' } },
    })
    const provider = await providerOf(await listed())
    expect(await provider.signMessage(PAYMENT, 'text')).toBe('AQID')
    expect(await provider.signPsbt(PAYMENT, psbt, [0], MAINNET)).toEqual(signed)
    expect(request).toHaveBeenLastCalledWith('signPsbt', {
      psbt: 'cHNidA==',
      signInputs: { [PAYMENT]: [0] },
      broadcast: false,
    })
  })

  it('that declines says so', async () => {
    inject({ getAccounts: { error: { code: -32000, message: 'User rejected' } } })
    const provider = await providerOf(await listed())
    await expect(provider.connect()).rejects.toMatchObject({ code: 4001 })
  })
})
