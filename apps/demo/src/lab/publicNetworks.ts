import { defineNetwork, type Network } from '@hawser/core'

const ether = { name: 'Ether', symbol: 'ETH', decimals: 18 }

/** Some public networks for the list. The page reaches them through the gateway only. */
export const publicNetworks: readonly Network[] = [
  evm(1, 'Ethereum', 'Etherscan', 'https://etherscan.io'),
  evm(8453, 'Base', 'Basescan', 'https://basescan.org'),
  evm(42161, 'Arbitrum One', 'Arbiscan', 'https://arbiscan.io'),
  evm(10, 'OP Mainnet', 'Optimism Explorer', 'https://optimistic.etherscan.io'),
  evm(11155111, 'Sepolia', 'Etherscan', 'https://sepolia.etherscan.io', true),
]

function evm(id: number, name: string, explorer: string, url: string, testnet = false): Network {
  return defineNetwork({
    id,
    name,
    testnet,
    nativeCurrency: ether,
    blockExplorers: { default: { name: explorer, url } },
  })
}
