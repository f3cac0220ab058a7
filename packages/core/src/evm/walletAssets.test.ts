import { beforeEach, describe, expect, it } from 'vitest'
import { fetchTokenBalance } from '../account/tokenBalance.ts'
import { DOLLAR, DOLLAR_ADDRESS, ETHER } from '../testing/fakeGateway.ts'
import { ALICE, walletError } from '../testing/fakeWallet.ts'
import { createConnectedKit, type Kit } from '../testing/kit.ts'

const metadata = {
  name: 'Test USD',
  symbol: 'tUSD',
  decimals: 6,
  price: 1,
  iconUrl: 'https://icons.test/usd.png',
}
const dollars = { address: DOLLAR_ADDRESS, balance: '0x1312d01', type: 'ERC20', metadata }
const ether = {
  address: 'native',
  balance: '0xde0b6b3a7640001',
  type: 'NATIVE',
  metadata: {
    ...metadata,
    name: 'Ether',
    symbol: 'ETH',
    decimals: 18,
    iconUrl: 'data:image/png;base64,AA==',
  },
}

let kit: Kit

beforeEach(async () => {
  kit = await createConnectedKit()
  kit.wallet.answers.wallet_getCapabilities = () => ({ '0x7a69': { assetDiscovery: { supported: true } } })
  kit.wallet.answers.wallet_getAssets = () => ({ '0x7a69': [ether, dollars] })
})

const askedGateway = () => kit.gateway.requests.some((request) => request.includes('/GetBalance '))
const asked = (name: string) => kit.wallet.calls.filter(({ method }) => method === name)

describe('a wallet that discovers assets', () => {
  it('is read instead of the gateway, exact to the last unit', async () => {
    expect(await fetchTokenBalance(kit.hawser)).toMatchObject([
      {
        symbol: 'ETH',
        quantity: { decimals: '18', numeric: '1.000000000000000001' },
        chainId: 'eip155:31337',
      },
      {
        symbol: 'tUSD',
        address: `eip155:31337:${DOLLAR_ADDRESS}`,
        quantity: { decimals: '6', numeric: '20.000001' },
        value: 20.000001,
      },
    ])
    expect(asked('wallet_getAssets')[0]?.params).toEqual([{ account: ALICE, chainFilter: ['0x7a69'] }])
    expect(askedGateway()).toBe(false)
  })

  it('names the native token without an address, and no image of another host', async () => {
    const [native, token] = await fetchTokenBalance(kit.hawser)
    expect(native).not.toHaveProperty('address')
    expect(native?.iconUrl).toBe('data:image/png;base64,AA==')
    expect(token?.iconUrl).toBe('')
  })
})

describe('the gateway is used when the wallet', () => {
  it.each<[string, unknown]>([
    ['names no price', { ...dollars, metadata: { ...metadata, price: undefined } }],
    ['names decimals as a text', { ...dollars, metadata: { ...metadata, decimals: '6' } }],
    ['names a balance that is not hex', { ...dollars, balance: '12.5' }],
    ['names a kind nobody knows', { ...dollars, type: 'ERC721' }],
    ['lists nothing at all', null],
  ])('%s', async (_, asset) => {
    kit.wallet.answers.wallet_getAssets = () => ({ '0x7a69': [ether, asset] })
    expect(await fetchTokenBalance(kit.hawser)).toEqual([ETHER, DOLLAR])
  })

  it('does not discover assets on this network, and gets no second request', async () => {
    kit.wallet.answers.wallet_getCapabilities = () => ({ '0x1': { assetDiscovery: { supported: true } } })
    await fetchTokenBalance(kit.hawser)
    expect(await fetchTokenBalance(kit.hawser)).toEqual([ETHER, DOLLAR])
    expect(asked('wallet_getCapabilities')).toHaveLength(1)
    expect(asked('wallet_getAssets')).toEqual([])
  })

  it('does not support capabilities', async () => {
    kit.wallet.answers.wallet_getCapabilities = () => {
      throw walletError(4200, 'unsupported')
    }
    expect(await fetchTokenBalance(kit.hawser)).toEqual([ETHER, DOLLAR])
  })
})
