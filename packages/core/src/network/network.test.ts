import { base } from 'viem/chains'
import { describe, expect, it } from 'vitest'
import { addressExplorerUrl, defineNetwork, unknownNetwork } from './network.ts'

const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }

describe('defining a network', () => {
  it('accepts viem’s chains, and copies known fields only', () => {
    expect(defineNetwork(base)).toEqual({
      id: 8453,
      name: 'Base',
      network: 'base',
      chainNamespace: 'eip155',
      caipNetworkId: 'eip155:8453',
      nativeCurrency: base.nativeCurrency,
      rpcUrls: base.rpcUrls,
      blockExplorers: base.blockExplorers,
      testnet: false,
      contracts: base.contracts,
    })
  })

  it('requires no more than an id, a name and a currency', () => {
    expect(defineNetwork({ id: 7, name: 'My Own Chain', nativeCurrency })).toEqual({
      id: 7,
      name: 'My Own Chain',
      network: 'my-own-chain',
      chainNamespace: 'eip155',
      caipNetworkId: 'eip155:7',
      nativeCurrency,
      rpcUrls: { default: { http: [] } },
      testnet: false,
    })
  })
})

describe('a chain that the site does not list', () => {
  it('is the "Unknown Network"', () => {
    expect(unknownNetwork('eip155:999')).toMatchObject({
      id: 999,
      name: 'Unknown Network',
      caipNetworkId: 'eip155:999',
    })
    expect(unknownNetwork('solana:dev')).toMatchObject({ id: 'dev', chainNamespace: 'solana' })
  })
})

describe('the page of an address', () => {
  it('is on the explorer of the network, when it has one', () => {
    const explorer = { default: { name: 'Explorer', url: 'https://explorer.test/' } }
    const network = defineNetwork({ id: 7, name: 'Seven', nativeCurrency, blockExplorers: explorer })
    expect(addressExplorerUrl(network, '0xa')).toBe('https://explorer.test/address/0xa')
    expect(addressExplorerUrl(unknownNetwork('eip155:999'), '0xa')).toBeUndefined()
  })
})
