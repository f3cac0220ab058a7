import { createFakeEmbeddedWallet } from '@hawser/core/testing'
import { expect, it } from 'vitest'
import { list } from '../testing/listing.ts'
import { embeddedWallet } from './embedded.ts'
import { createEmbeddedProvider } from './embeddedProvider.ts'

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
