import type { Connector, SolanaProvider } from '@hawser/core'
import { getWallets } from '@wallet-standard/app'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Listing, list } from '../testing/listing.ts'
import { solanaWallets } from './solanaWallets.ts'

const ALICE = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
const LOCAL = 'solana:HawserDevnet11111111111111111111'
const MAINNET = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const bytes = new Uint8Array([1, 2, 3])

const account: WalletAccount = {
  address: ALICE,
  publicKey: new Uint8Array(32),
  chains: ['solana:mainnet', 'solana:devnet'],
  features: [],
  label: 'Savings',
}

function walletOf(features: Record<string, unknown> = {}, fields: Partial<Wallet> = {}) {
  return {
    version: '1.0.0',
    name: 'Example',
    icon: 'data:image/svg+xml;base64,PHN2Zy8+',
    chains: ['solana:mainnet', 'solana:devnet'],
    accounts: [],
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [account] }) },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signTransaction: async () => [{ signedTransaction: bytes }],
      },
      ...features,
    },
    ...fields,
  } satisfies Wallet
}

/** Returns a wallet that records what is requested of it. */
function spied() {
  const connect = vi.fn(async (_input?: unknown) => ({ accounts: [account] }))
  const signTransaction = vi.fn(async (_input: unknown) => [{ signedTransaction: bytes }])
  const wallet = walletOf({
    'standard:connect': { version: '1.0.0', connect },
    'solana:signTransaction': { version: '1.0.0', signTransaction },
  })
  return { wallet, connect, signTransaction }
}

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

async function listed(...wallets: Wallet[]): Promise<Listing> {
  ends.push(...wallets.map((wallet) => getWallets().register(wallet)))
  const listing = list(solanaWallets())
  ends.push(listing.stop)
  await vi.dynamicImportSettled()
  return listing
}

async function providerOf(wallet: Wallet): Promise<SolanaProvider> {
  const { connectors } = await listed(wallet)
  return (connectors.at(-1) as Connector<'solana'>).getProvider()
}

describe('the list', () => {
  it('has wallets that registered before and after the page looked for them', async () => {
    const { connectors } = await listed(walletOf())
    expect(connectors).toMatchObject([
      {
        id: 'solana:Example',
        name: 'Example',
        type: 'ANNOUNCED',
        chain: 'solana',
        imageUrl: expect.stringMatching(/^data:image/),
      },
    ])
    const unregister = getWallets().register(walletOf({}, { name: 'Late' }))
    expect(connectors.map(({ name }) => name)).toEqual(['Example', 'Late'])
    unregister()
    expect(connectors.map(({ name }) => name)).toEqual(['Example'])
  })

  it('marks a second wallet of a name as a duplicate with an id of its own', async () => {
    const { connectors } = await listed(walletOf(), walletOf())
    expect(connectors.map(({ id, isDuplicate }) => [id, isDuplicate])).toEqual([
      ['solana:Example', undefined],
      ['solana:Example#2', true],
    ])
  })

  it.each([
    ['of another chain', walletOf({}, { chains: ['sui:mainnet'] })],
    ['that cannot be connected', walletOf({}, { features: { 'solana:signTransaction': {} } })],
    ['that sign nothing', walletOf({}, { features: { 'standard:connect': {} } })],
  ])('leaves out wallets %s', async (_, wallet) => {
    expect((await listed(wallet)).connectors).toEqual([])
  })

  it.each([
    ['features', { features: undefined }],
    ['chains', { chains: undefined }],
    ['a name', { name: undefined }],
    ['a picture', { icon: 7 }],
  ])('lists the other wallets beside one without %s', async (_part, malformed) => {
    const { connectors } = await listed(
      { ...walletOf({}, { name: 'Malformed' }), ...malformed } as unknown as Wallet,
      walletOf(),
    )
    expect(connectors.map(({ name }) => name)).toContain('Example')
  })

  it('gives no two wallets of a name the same id', async () => {
    const { connectors } = await listed(walletOf())
    const [second, third] = [walletOf(), walletOf()].map((wallet) => getWallets().register(wallet))
    second?.()
    if (third) ends.push(third)
    ends.push(getWallets().register(walletOf()))
    expect(connectors.map(({ id }) => id)).toEqual(['solana:Example', 'solana:Example#3', 'solana:Example#4'])
  })

  it('takes no picture from a URL', async () => {
    const icon = 'https://wallet.test/icon.png' as Wallet['icon']
    expect((await listed(walletOf({}, { icon }))).connectors[0]?.imageUrl).toBeUndefined()
  })

  it('is empty after it was stopped', async () => {
    const { connectors, stop } = await listed(walletOf())
    stop()
    expect(connectors).toEqual([])
  })
})

describe('a provider', () => {
  it('connects with a prompt, and on reload without', async () => {
    const { wallet, connect } = spied()
    const provider = await providerOf(wallet)
    const entry = { address: ALICE, type: 'eoa', label: 'Savings' }
    expect(await provider.connect()).toEqual([entry])
    expect(await provider.connect({ isSilent: true })).toEqual([entry])
    expect(connect.mock.calls).toEqual([[undefined], [{ silent: true }]])
  })

  it('signs a transaction, and names the cluster only to an account that supports it', async () => {
    const { wallet, signTransaction } = spied()
    const provider = await providerOf(wallet)
    await provider.connect()
    expect(await provider.signTransaction?.(ALICE, bytes, MAINNET)).toEqual(bytes)
    await provider.signTransaction?.(ALICE, bytes, LOCAL)
    expect(signTransaction.mock.calls).toEqual([
      [{ account, transaction: bytes, chain: 'solana:mainnet' }],
      [{ account, transaction: bytes }],
    ])
  })

  it('signs for every network, unless the wallet sends transactions itself', async () => {
    expect((await providerOf(walletOf())).networks).toBeUndefined()
    const sends = { 'solana:signTransaction': undefined, 'solana:signAndSendTransaction': {} }
    const { 'solana:signTransaction': _, ...features } = { ...walletOf().features, ...sends }
    const sending = await providerOf(walletOf({}, { name: 'Sending', features }))
    expect(sending.networks).toEqual([MAINNET, 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'])
    expect(sending.signTransaction).toBeUndefined()
  })

  it('refuses a message that the wallet changed before it signed it', async () => {
    const signature = new Uint8Array(64).fill(7)
    const signed = { signature, signedMessage: bytes }
    const signMessage = vi.fn(async () => [signed])
    const provider = await providerOf(walletOf({ 'solana:signMessage': { version: '1.0.0', signMessage } }))
    await provider.connect()
    expect(await provider.signMessage(ALICE, bytes)).toEqual(signature)
    await expect(provider.signMessage(ALICE, new Uint8Array([1, 2]))).rejects.toThrow('another message')
  })

  it.each(['User rejected the request.', 'Transaction cancelled', 'User denied'])(
    'reports "%s" as declined',
    async (message) => {
      const connect = async () => {
        throw new Error(message)
      }
      const provider = await providerOf(walletOf({ 'standard:connect': { version: '1.0.0', connect } }))
      await expect(provider.connect()).rejects.toMatchObject({ code: 4001 })
    },
  )

  it('follows the accounts of the wallet', async () => {
    let change: (properties: { accounts?: readonly WalletAccount[] }) => void = () => undefined
    const off = vi.fn()
    const on = (_: string, listener: typeof change) => {
      change = listener
      return off
    }
    const provider = await providerOf(walletOf({ 'standard:events': { version: '1.0.0', on } }))
    const listener = vi.fn()
    const stop = provider.onAccounts(listener)
    change({})
    change({ accounts: [] })
    expect(listener.mock.calls).toEqual([[[]]])
    stop()
    expect(off).toHaveBeenCalledOnce()
  })

  it('signs with no account that the wallet does not share', async () => {
    const provider = await providerOf(walletOf())
    await expect(provider.signTransaction?.(ALICE, bytes, MAINNET)).rejects.toMatchObject({ code: 4100 })
  })
})
