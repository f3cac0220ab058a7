import { type Hawser, type Network, selectRequestedNetworks } from '@hawser/core'
import { type Config, type CreateConfigParameters, createConfig } from '@wagmi/core'
import { type Chain, http, type Transport } from 'viem'
import { chainContracts } from './chainContracts.ts'
import { hawserConnector } from './hawserConnector.ts'

/** Parameters of wagmi's `createConfig` that do not follow from the instance. */
export type WagmiOptions = Pick<
  CreateConfigParameters,
  'batch' | 'cacheTime' | 'pollingInterval' | 'ssr' | 'storage' | 'syncConnectedChain'
>

/**
 * Creates a config for wagmi with the EVM networks of an instance. Reads go through its gateway, and its
 * modal is the only connector, because the modal lists the wallets that are announced in the page.
 *
 * @throws Error if the instance lists no EVM network.
 */
export function createWagmiConfig(hawser: Hawser, options: WagmiOptions = {}): Config {
  const [first, ...others] = selectRequestedNetworks(hawser.chain.getState(), 'eip155').map((network) =>
    toChain(hawser, network),
  )
  if (!first) throw new Error('wagmi needs an EVM network')
  const chains: [Chain, ...Chain[]] = [first, ...others]
  const transports: Record<number, Transport> = Object.fromEntries(
    chains.map((chain) => [chain.id, http(chain.rpcUrls.default.http[0])]),
  )
  return createConfig({
    ...options,
    chains,
    transports,
    connectors: [hawserConnector(hawser)],
    multiInjectedProviderDiscovery: false,
  })
}

/** Returns a network as a chain of viem, with the gateway as its node. */
function toChain({ client }: Hawser, network: Network): Chain {
  const { id, name, nativeCurrency, blockExplorers, testnet, caipNetworkId } = network
  const contracts = chainContracts(network)
  return {
    id: Number(id),
    name,
    nativeCurrency,
    rpcUrls: { default: { http: [client.rpcUrl(caipNetworkId)] } },
    ...(blockExplorers && { blockExplorers }),
    ...(testnet && { testnet }),
    ...(contracts && { contracts }),
  }
}
