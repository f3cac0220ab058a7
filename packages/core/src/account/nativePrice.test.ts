import { expect, it } from 'vitest'
import { createKit } from '../testing/kit.ts'
import type { Network } from '../types/network.ts'
import { withNativePrice } from './nativePrice.ts'

const caipNetworkId = 'bip122:000000000019d6689c085ae165831e93'
const network = { caipNetworkId, chainNamespace: 'bip122', testnet: false } as unknown as Network
const bitcoin = {
  name: 'Bitcoin',
  symbol: 'BTC',
  chainId: caipNetworkId,
  value: 0,
  price: 0,
  quantity: { decimals: '8', numeric: '0.5' },
  iconUrl: '',
}

it('adds the price that a vendor has', async () => {
  const { hawser, gateway } = createKit()
  gateway.prices = { [`${caipNetworkId}:0x`]: 100_000 }
  expect(await withNativePrice(hawser, network, [bitcoin])).toMatchObject([{ price: 100_000, value: 50_000 }])
})

it('leaves the price unknown without a vendor, when the gateway fails, and on test networks', async () => {
  const { hawser, gateway } = createKit()
  expect(await withNativePrice(hawser, network, [bitcoin])).toEqual([bitcoin])
  gateway.prices = { [`${caipNetworkId}:0x`]: 100_000 }
  expect(await withNativePrice(hawser, { ...network, testnet: true }, [bitcoin])).toEqual([bitcoin])
  gateway.status = 503
  expect(await withNativePrice(hawser, network, [bitcoin])).toEqual([bitcoin])
})
