import { defineNetwork } from '@hawser/core'
import * as networks from '@hawser/core/networks'
import { createKit } from '@hawser/core/testing'
import type { Chain } from 'viem'
import * as chains from 'viem/chains'
import { describe, expect, it } from 'vitest'
import { chainContracts } from './chainContracts.ts'
import { createWagmiConfig } from './createWagmiConfig.ts'

const known = Object.values(networks).filter(({ chainNamespace }) => chainNamespace === 'eip155')
const chainOf = (id: unknown) =>
  Object.values(chains as Record<string, Chain>).find((chain) => chain.id === id)

describe('the chains of a config', () => {
  it.each(known.map((network) => [network.name, network] as const))(
    'have the contracts that viem knows: %s',
    (_, network) => {
      const { multicall3, ensUniversalResolver } = chainOf(network.id)?.contracts ?? {}
      const contracts = chainContracts(network)
      const addressOf = (contract: unknown) =>
        (contract as { address?: string } | undefined)?.address?.toLowerCase()
      expect(addressOf(contracts?.multicall3)).toBe(addressOf(multicall3))
      expect(addressOf(contracts?.ensUniversalResolver)).toBe(addressOf(ensUniversalResolver))
    },
  )

  it('have those that the site defines', () => {
    const contracts = { multicall3: { address: '0x00000000000000000000000000000000000000a1' } } as const
    const network = defineNetwork({ ...chains.linea, contracts })
    const { hawser } = createKit({ networks: [network] })
    expect(createWagmiConfig(hawser).chains[0].contracts).toEqual(contracts)
  })
})
