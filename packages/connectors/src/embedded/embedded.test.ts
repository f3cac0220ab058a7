import { createFakeEmbeddedWallet } from '@hawser/core/testing'
import { base58, base64 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { list } from '../testing/listing.ts'
import { embeddedWallet } from './embedded.ts'
import { createEmbeddedProvider } from './embeddedProvider.ts'
import { createEmbeddedSolanaProvider } from './embeddedSolanaProvider.ts'

const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

async function openProvider() {
  const frame = createFakeEmbeddedWallet()
  const wallet = await frame.connector.getEmbeddedWallet?.()
  if (!wallet) throw new Error('the wallet has no frame')
  const heard: unknown[] = []
  const provider = createEmbeddedProvider(wallet)
  provider.on?.('accountsChanged', (accounts) => void heard.push(accounts))
  provider.on?.('chainChanged', (chainId) => void heard.push(chainId))
  return { frame, wallet, provider, heard }
}

it('is listed with its logins and the page of its account', () => {
  const { connectors, stop } = list(
    embeddedWallet({ frameOrigin: 'https://wallet.test', socials: ['github'] }),
    { namespaces: () => ['eip155'] },
  )
  expect(connectors).toMatchObject([
    {
      id: 'AUTH',
      type: 'AUTH',
      logins: {
        email: true,
        socials: ['github'],
        accountUrl: 'https://wallet.test/account?projectId=00000000000000000000000000000001',
      },
    },
  ])
  stop()
  expect(connectors).toEqual([])
})

it('has one frame, also when it is started again with a modal that is mounted again', async () => {
  const start = embeddedWallet({ frameOrigin: 'https://wallet.test' })
  const first = list(start)
  const wallet = await first.connectors[0]?.getEmbeddedWallet?.()
  expect(wallet).toBeDefined()
  first.stop()
  expect(await list(start).connectors[0]?.getEmbeddedWallet?.()).toBe(wallet)
})

it('offers every login by default', () => {
  const { connectors } = list(embeddedWallet())
  expect(connectors[0]?.logins?.socials).toEqual([
    'google',
    'x',
    'discord',
    'farcaster',
    'github',
    'apple',
    'facebook',
  ])
})

it('has no account until a user is logged in', async () => {
  const { wallet, provider } = await openProvider()
  expect(await provider.request({ method: 'eth_accounts' })).toEqual([])
  await expect(provider.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({ code: 4100 })
  await wallet.connectOtp('123456')
  expect(await provider.request({ method: 'eth_accounts' })).toEqual([ALICE])
  expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual([ALICE])
})

it('says and switches its network', async () => {
  const { frame, provider } = await openProvider()
  expect(await provider.request({ method: 'eth_chainId' })).toBe('0x7a69')
  await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x7a6a' }] })
  expect(frame.frameCalls.at(-1)).toEqual({ name: 'switchNetwork', argument: 'eip155:31338' })
})

it.each([[[]], [[{}]], [[{ chainId: 31338 }]], [[{ chainId: 'x' }]], [undefined]])(
  'refuses to switch to %j',
  async (params) => {
    const { provider } = await openProvider()
    const switching = provider.request({ method: 'wallet_switchEthereumChain', ...(params && { params }) })
    await expect(switching).rejects.toMatchObject({ code: -32602 })
  },
)

it('passes other requests to the frame', async () => {
  const { frame, provider } = await openProvider()
  frame.frameAnswers.request = () => '0xsigned'
  const params = ['0x68656c6c6f', ALICE]
  expect(await provider.request({ method: 'personal_sign', params })).toBe('0xsigned')
  expect(frame.frameCalls.at(-1)).toEqual({ name: 'request', argument: { method: 'personal_sign', params } })
})

it('passes on the events of the frame; a sign-out leaves no account', async () => {
  const { frame, heard } = await openProvider()
  frame.emitFrame('accountsChanged', [ALICE])
  frame.emitFrame('chainChanged', 'eip155:1')
  frame.emitFrame('signedOut', undefined)
  expect(heard).toEqual([[ALICE], '0x1', []])
})

describe('on Solana', () => {
  const network = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
  const OWNER = '4zvwRjXUKGfvwnParsHAS3HuSVzV5cA4McphgmoCtajS'

  async function openSolana() {
    const frame = createFakeEmbeddedWallet()
    frame.user = {
      ...frame.user,
      address: OWNER,
      accounts: [{ address: OWNER, type: 'eoa' }],
      chainId: network,
    }
    const wallet = await frame.connector.getEmbeddedWallet?.()
    if (!wallet) throw new Error('the wallet has no frame')
    return { frame, wallet, provider: createEmbeddedSolanaProvider(wallet) }
  }

  it('is listed where the site has such networks', () => {
    const { connectors } = list(embeddedWallet(), { namespaces: () => ['solana', 'eip155'] })
    expect(connectors.map(({ id, chain }) => [id, chain])).toEqual([
      ['AUTH', 'eip155'],
      ['AUTH', 'solana'],
    ])
  })

  it('has the address of the user there once they are logged in', async () => {
    const { frame, wallet, provider } = await openSolana()
    await expect(provider.connect({ caipNetworkId: network })).rejects.toMatchObject({ code: 4100 })
    expect(await provider.connect({ caipNetworkId: network, isSilent: true })).toEqual([])
    await wallet.connectOtp('123456')
    expect(await provider.connect({ caipNetworkId: network })).toEqual([{ address: OWNER, type: 'eoa' }])
    expect(frame.frameCalls.at(-1)).toEqual({ name: 'getUser', argument: { chainId: network } })
  })

  it('signs messages and transactions in the frame, for the network of the request', async () => {
    const { frame, provider } = await openSolana()
    const signature = new Uint8Array(64).fill(7)
    const requests: unknown[] = []
    frame.frameAnswers.request = (request) => {
      requests.push(request)
      return { signature: base58.encode(signature), transaction: base64.encode(new Uint8Array([1, 2, 3])) }
    }
    await provider.connect({ caipNetworkId: network, isSilent: true })
    expect(await provider.signMessage(OWNER, new TextEncoder().encode('hello'))).toEqual(signature)
    const transaction = new Uint8Array([9])
    expect(await provider.signTransaction?.(OWNER, transaction, network)).toEqual(new Uint8Array([1, 2, 3]))
    expect(requests).toEqual([
      {
        method: 'solana_signMessage',
        params: { pubkey: OWNER, message: base58.encode(new TextEncoder().encode('hello')) },
        chainId: network,
      },
      {
        method: 'solana_signTransaction',
        params: { pubkey: OWNER, transaction: base64.encode(transaction) },
        chainId: network,
      },
    ])
  })

  it('has no account after a sign-out, and keeps it when the EVM account changes', async () => {
    const { frame, provider } = await openSolana()
    const heard: unknown[] = []
    provider.onAccounts((accounts) => heard.push(accounts))
    frame.emitFrame('accountsChanged', [ALICE])
    expect(heard).toEqual([])
    frame.emitFrame('accountsChanged', [])
    expect(heard).toEqual([[]])
  })
})
