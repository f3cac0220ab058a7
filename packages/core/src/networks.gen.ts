// Generated from services/chains/networks.yaml by tools/networks.mjs. DO NOT EDIT.

import { defineNetwork } from './network/network.ts'
import type { Network } from './types/network.ts'

/** Ethereum, `eip155:1`. */
export const ethereum: Network = /* @__PURE__ */ defineNetwork({
  "id": 1,
  "name": "Ethereum",
  "network": "ethereum",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Ether",
    "symbol": "ETH",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Etherscan",
      "url": "https://etherscan.io"
    }
  },
  "testnet": false
})

/** Arbitrum One, `eip155:42161`. */
export const arbitrum: Network = /* @__PURE__ */ defineNetwork({
  "id": 42161,
  "name": "Arbitrum One",
  "network": "arbitrum",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Ether",
    "symbol": "ETH",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Arbiscan",
      "url": "https://arbiscan.io"
    }
  },
  "testnet": false
})

/** OP Mainnet, `eip155:10`. */
export const optimism: Network = /* @__PURE__ */ defineNetwork({
  "id": 10,
  "name": "OP Mainnet",
  "network": "optimism",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Ether",
    "symbol": "ETH",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Optimism Explorer",
      "url": "https://optimistic.etherscan.io"
    }
  },
  "testnet": false
})

/** ZKsync Era, `eip155:324`. */
export const zksync: Network = /* @__PURE__ */ defineNetwork({
  "id": 324,
  "name": "ZKsync Era",
  "network": "zksync",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Ether",
    "symbol": "ETH",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "ZKsync Explorer",
      "url": "https://explorer.zksync.io"
    }
  },
  "testnet": false
})

/** Base, `eip155:8453`. */
export const base: Network = /* @__PURE__ */ defineNetwork({
  "id": 8453,
  "name": "Base",
  "network": "base",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Ether",
    "symbol": "ETH",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Basescan",
      "url": "https://basescan.org"
    }
  },
  "testnet": false
})

/** BNB Smart Chain, `eip155:56`. */
export const bnb: Network = /* @__PURE__ */ defineNetwork({
  "id": 56,
  "name": "BNB Smart Chain",
  "network": "bnb",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "BNB",
    "symbol": "BNB",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "BscScan",
      "url": "https://bscscan.com"
    }
  },
  "testnet": false
})

/** Polygon, `eip155:137`. */
export const polygon: Network = /* @__PURE__ */ defineNetwork({
  "id": 137,
  "name": "Polygon",
  "network": "polygon",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "POL",
    "symbol": "POL",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "PolygonScan",
      "url": "https://polygonscan.com"
    }
  },
  "testnet": false
})

/** Gnosis, `eip155:100`. */
export const gnosis: Network = /* @__PURE__ */ defineNetwork({
  "id": 100,
  "name": "Gnosis",
  "network": "gnosis",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "xDAI",
    "symbol": "xDAI",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Gnosisscan",
      "url": "https://gnosisscan.io"
    }
  },
  "testnet": false
})

/** Avalanche, `eip155:43114`. */
export const avalanche: Network = /* @__PURE__ */ defineNetwork({
  "id": 43114,
  "name": "Avalanche",
  "network": "avalanche",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Avalanche",
    "symbol": "AVAX",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "SnowTrace",
      "url": "https://snowtrace.io"
    }
  },
  "testnet": false
})

/** Fantom, `eip155:250`. */
export const fantom: Network = /* @__PURE__ */ defineNetwork({
  "id": 250,
  "name": "Fantom",
  "network": "fantom",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Fantom",
    "symbol": "FTM",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "FTMScan",
      "url": "https://ftmscan.com"
    }
  },
  "testnet": false
})

/** Kaia, `eip155:8217`. */
export const kaia: Network = /* @__PURE__ */ defineNetwork({
  "id": 8217,
  "name": "Kaia",
  "network": "kaia",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Kaia",
    "symbol": "KAIA",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "KaiaScan",
      "url": "https://kaiascan.io"
    }
  },
  "testnet": false
})

/** Aurora, `eip155:1313161554`. */
export const aurora: Network = /* @__PURE__ */ defineNetwork({
  "id": 1313161554,
  "name": "Aurora",
  "network": "aurora",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Ether",
    "symbol": "ETH",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Aurora Explorer",
      "url": "https://explorer.aurora.dev"
    }
  },
  "testnet": false
})

/** Sepolia, `eip155:11155111`. */
export const sepolia: Network = /* @__PURE__ */ defineNetwork({
  "id": 11155111,
  "name": "Sepolia",
  "network": "sepolia",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Sepolia Ether",
    "symbol": "ETH",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Etherscan",
      "url": "https://sepolia.etherscan.io"
    }
  },
  "testnet": true
})

/** Arbitrum Sepolia, `eip155:421614`. */
export const arbitrumSepolia: Network = /* @__PURE__ */ defineNetwork({
  "id": 421614,
  "name": "Arbitrum Sepolia",
  "network": "arbitrumSepolia",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Sepolia Ether",
    "symbol": "ETH",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Arbiscan",
      "url": "https://sepolia.arbiscan.io"
    }
  },
  "testnet": true
})

/** OP Sepolia, `eip155:11155420`. */
export const optimismSepolia: Network = /* @__PURE__ */ defineNetwork({
  "id": 11155420,
  "name": "OP Sepolia",
  "network": "optimismSepolia",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Sepolia Ether",
    "symbol": "ETH",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Optimism Explorer",
      "url": "https://sepolia-optimism.etherscan.io"
    }
  },
  "testnet": true
})

/** ZKsync Sepolia, `eip155:300`. */
export const zksyncSepolia: Network = /* @__PURE__ */ defineNetwork({
  "id": 300,
  "name": "ZKsync Sepolia",
  "network": "zksyncSepolia",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Ether",
    "symbol": "ETH",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "ZKsync Explorer",
      "url": "https://sepolia.explorer.zksync.io"
    }
  },
  "testnet": true
})

/** Base Sepolia, `eip155:84532`. */
export const baseSepolia: Network = /* @__PURE__ */ defineNetwork({
  "id": 84532,
  "name": "Base Sepolia",
  "network": "baseSepolia",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Sepolia Ether",
    "symbol": "ETH",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Basescan",
      "url": "https://sepolia.basescan.org"
    }
  },
  "testnet": true
})

/** BNB Smart Chain Testnet, `eip155:97`. */
export const bnbTestnet: Network = /* @__PURE__ */ defineNetwork({
  "id": 97,
  "name": "BNB Smart Chain Testnet",
  "network": "bnbTestnet",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "BNB",
    "symbol": "tBNB",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "BscScan",
      "url": "https://testnet.bscscan.com"
    }
  },
  "testnet": true
})

/** Polygon Amoy, `eip155:80002`. */
export const polygonAmoy: Network = /* @__PURE__ */ defineNetwork({
  "id": 80002,
  "name": "Polygon Amoy",
  "network": "polygonAmoy",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "POL",
    "symbol": "POL",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "PolygonScan",
      "url": "https://amoy.polygonscan.com"
    }
  },
  "testnet": true
})

/** Gnosis Chiado, `eip155:10200`. */
export const gnosisChiado: Network = /* @__PURE__ */ defineNetwork({
  "id": 10200,
  "name": "Gnosis Chiado",
  "network": "gnosisChiado",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Chiado xDAI",
    "symbol": "xDAI",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Blockscout",
      "url": "https://gnosis-chiado.blockscout.com"
    }
  },
  "testnet": true
})

/** Avalanche Fuji, `eip155:43113`. */
export const avalancheFuji: Network = /* @__PURE__ */ defineNetwork({
  "id": 43113,
  "name": "Avalanche Fuji",
  "network": "avalancheFuji",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Avalanche Fuji",
    "symbol": "AVAX",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "SnowTrace",
      "url": "https://testnet.snowtrace.io"
    }
  },
  "testnet": true
})

/** Fantom Testnet, `eip155:4002`. */
export const fantomTestnet: Network = /* @__PURE__ */ defineNetwork({
  "id": 4002,
  "name": "Fantom Testnet",
  "network": "fantomTestnet",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Fantom",
    "symbol": "FTM",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "FTMScan",
      "url": "https://testnet.ftmscan.com"
    }
  },
  "testnet": true
})

/** Kaia Kairos, `eip155:1001`. */
export const kairos: Network = /* @__PURE__ */ defineNetwork({
  "id": 1001,
  "name": "Kaia Kairos",
  "network": "kairos",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Kairos Kaia",
    "symbol": "KAIA",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "KaiaScan",
      "url": "https://kairos.kaiascan.io"
    }
  },
  "testnet": true
})

/** Aurora Testnet, `eip155:1313161555`. */
export const auroraTestnet: Network = /* @__PURE__ */ defineNetwork({
  "id": 1313161555,
  "name": "Aurora Testnet",
  "network": "auroraTestnet",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Ether",
    "symbol": "ETH",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Aurora Explorer",
      "url": "https://explorer.testnet.aurora.dev"
    }
  },
  "testnet": true
})

/** Devnet, `eip155:31337`. */
export const devnet: Network = /* @__PURE__ */ defineNetwork({
  "id": 31337,
  "name": "Devnet",
  "network": "devnet",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Ether",
    "symbol": "ETH",
    "decimals": 18
  },
  "testnet": true
})

/** Devnet Two, `eip155:31338`. */
export const devnetTwo: Network = /* @__PURE__ */ defineNetwork({
  "id": 31338,
  "name": "Devnet Two",
  "network": "devnetTwo",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Ether",
    "symbol": "ETH",
    "decimals": 18
  },
  "testnet": true
})

/** Bitcoin, `bip122:000000000019d6689c085ae165831e93`. */
export const bitcoin: Network = /* @__PURE__ */ defineNetwork({
  "id": "000000000019d6689c085ae165831e93",
  "name": "Bitcoin",
  "network": "bitcoin",
  "chainNamespace": "bip122",
  "nativeCurrency": {
    "name": "Bitcoin",
    "symbol": "BTC",
    "decimals": 8
  },
  "blockExplorers": {
    "default": {
      "name": "Mempool",
      "url": "https://mempool.space"
    }
  },
  "testnet": false
})

/** Bitcoin Testnet, `bip122:000000000933ea01ad0ee984209779ba`. */
export const bitcoinTestnet: Network = /* @__PURE__ */ defineNetwork({
  "id": "000000000933ea01ad0ee984209779ba",
  "name": "Bitcoin Testnet",
  "network": "bitcoinTestnet",
  "chainNamespace": "bip122",
  "nativeCurrency": {
    "name": "Bitcoin",
    "symbol": "tBTC",
    "decimals": 8
  },
  "blockExplorers": {
    "default": {
      "name": "Mempool",
      "url": "https://mempool.space/testnet"
    }
  },
  "testnet": true
})

/** Bitcoin Regtest, `bip122:0f9188f13cb7b2c71f2a335e3a4fc328`. */
export const bitcoinRegtest: Network = /* @__PURE__ */ defineNetwork({
  "id": "0f9188f13cb7b2c71f2a335e3a4fc328",
  "name": "Bitcoin Regtest",
  "network": "bitcoinRegtest",
  "chainNamespace": "bip122",
  "nativeCurrency": {
    "name": "Bitcoin",
    "symbol": "rBTC",
    "decimals": 8
  },
  "testnet": true
})

/** Solana, `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp`. */
export const solana: Network = /* @__PURE__ */ defineNetwork({
  "id": "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
  "name": "Solana",
  "network": "solana",
  "chainNamespace": "solana",
  "nativeCurrency": {
    "name": "Solana",
    "symbol": "SOL",
    "decimals": 9
  },
  "blockExplorers": {
    "default": {
      "name": "Solscan",
      "url": "https://solscan.io"
    }
  },
  "testnet": false
})

/** Solana Devnet, `solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1`. */
export const solanaDevnet: Network = /* @__PURE__ */ defineNetwork({
  "id": "EtWTRABZaYq6iMfeYKouRu166VU2xqa1",
  "name": "Solana Devnet",
  "network": "solanaDevnet",
  "chainNamespace": "solana",
  "nativeCurrency": {
    "name": "Solana",
    "symbol": "SOL",
    "decimals": 9
  },
  "testnet": true
})

/** Solana Testnet, `solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z`. */
export const solanaTestnet: Network = /* @__PURE__ */ defineNetwork({
  "id": "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z",
  "name": "Solana Testnet",
  "network": "solanaTestnet",
  "chainNamespace": "solana",
  "nativeCurrency": {
    "name": "Solana",
    "symbol": "SOL",
    "decimals": 9
  },
  "testnet": true
})

/** Solana Local, `solana:HawserDevnet11111111111111111111`. */
export const solanaLocal: Network = /* @__PURE__ */ defineNetwork({
  "id": "HawserDevnet11111111111111111111",
  "name": "Solana Local",
  "network": "solanaLocal",
  "chainNamespace": "solana",
  "nativeCurrency": {
    "name": "Solana",
    "symbol": "SOL",
    "decimals": 9
  },
  "testnet": true
})

/** Polkadot, `polkadot:91b171bb158e2d3848fa23a9f1c25182`. */
export const polkadot: Network = /* @__PURE__ */ defineNetwork({
  "id": "91b171bb158e2d3848fa23a9f1c25182",
  "name": "Polkadot",
  "network": "polkadot",
  "chainNamespace": "polkadot",
  "nativeCurrency": {
    "name": "Polkadot",
    "symbol": "DOT",
    "decimals": 10
  },
  "blockExplorers": {
    "default": {
      "name": "Subscan",
      "url": "https://polkadot.subscan.io"
    }
  },
  "testnet": false
})

/** Polkadot Asset Hub, `polkadot:68d56f15f85d3136970ec16946040bc1`. */
export const polkadotAssetHub: Network = /* @__PURE__ */ defineNetwork({
  "id": "68d56f15f85d3136970ec16946040bc1",
  "name": "Polkadot Asset Hub",
  "network": "polkadotAssetHub",
  "chainNamespace": "polkadot",
  "nativeCurrency": {
    "name": "Polkadot",
    "symbol": "DOT",
    "decimals": 10
  },
  "blockExplorers": {
    "default": {
      "name": "Subscan",
      "url": "https://assethub-polkadot.subscan.io"
    }
  },
  "testnet": false
})

/** Westend, `polkadot:e143f23803ac50e8f6f8e62695d1ce9e`. */
export const westend: Network = /* @__PURE__ */ defineNetwork({
  "id": "e143f23803ac50e8f6f8e62695d1ce9e",
  "name": "Westend",
  "network": "westend",
  "chainNamespace": "polkadot",
  "nativeCurrency": {
    "name": "Westend",
    "symbol": "WND",
    "decimals": 12
  },
  "blockExplorers": {
    "default": {
      "name": "Subscan",
      "url": "https://westend.subscan.io"
    }
  },
  "testnet": true
})

/** Polkadot Local, `polkadot:e2f007b38c0e970ccee54cbb0242cf40`. */
export const polkadotLocal: Network = /* @__PURE__ */ defineNetwork({
  "id": "e2f007b38c0e970ccee54cbb0242cf40",
  "name": "Polkadot Local",
  "network": "polkadotLocal",
  "chainNamespace": "polkadot",
  "nativeCurrency": {
    "name": "Polkadot",
    "symbol": "DOT",
    "decimals": 10
  },
  "testnet": true
})
