// Generated from services/chains/networks.yaml and networks.gen.yaml by tools/networks.mjs. DO NOT EDIT.

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

/** Linea Mainnet, `eip155:59144`. */
export const linea: Network = /* @__PURE__ */ defineNetwork({
  "id": 59144,
  "name": "Linea Mainnet",
  "network": "linea",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Linea Ether",
    "symbol": "ETH",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Etherscan",
      "url": "https://lineascan.build"
    }
  },
  "testnet": false
})

/** Scroll, `eip155:534352`. */
export const scroll: Network = /* @__PURE__ */ defineNetwork({
  "id": 534352,
  "name": "Scroll",
  "network": "scroll",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Ether",
    "symbol": "ETH",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Scrollscan",
      "url": "https://scrollscan.com"
    }
  },
  "testnet": false
})

/** Blast, `eip155:81457`. */
export const blast: Network = /* @__PURE__ */ defineNetwork({
  "id": 81457,
  "name": "Blast",
  "network": "blast",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Ether",
    "symbol": "ETH",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Blastscan",
      "url": "https://blastscan.io"
    }
  },
  "testnet": false
})

/** Mantle, `eip155:5000`. */
export const mantle: Network = /* @__PURE__ */ defineNetwork({
  "id": 5000,
  "name": "Mantle",
  "network": "mantle",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "MNT",
    "symbol": "MNT",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Mantle Explorer",
      "url": "https://mantlescan.xyz"
    }
  },
  "testnet": false
})

/** Mode Mainnet, `eip155:34443`. */
export const mode: Network = /* @__PURE__ */ defineNetwork({
  "id": 34443,
  "name": "Mode Mainnet",
  "network": "mode",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Ether",
    "symbol": "ETH",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Modescan",
      "url": "https://modescan.io"
    }
  },
  "testnet": false
})

/** Celo, `eip155:42220`. */
export const celo: Network = /* @__PURE__ */ defineNetwork({
  "id": 42220,
  "name": "Celo",
  "network": "celo",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "CELO",
    "symbol": "CELO",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Celo Explorer",
      "url": "https://celoscan.io"
    }
  },
  "testnet": false
})

/** Sonic, `eip155:146`. */
export const sonic: Network = /* @__PURE__ */ defineNetwork({
  "id": 146,
  "name": "Sonic",
  "network": "sonic",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Sonic",
    "symbol": "S",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Sonic Explorer",
      "url": "https://sonicscan.org"
    }
  },
  "testnet": false
})

/** Berachain, `eip155:80094`. */
export const berachain: Network = /* @__PURE__ */ defineNetwork({
  "id": 80094,
  "name": "Berachain",
  "network": "berachain",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "BERA Token",
    "symbol": "BERA",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Berascan",
      "url": "https://berascan.com"
    }
  },
  "testnet": false
})

/** Unichain, `eip155:130`. */
export const unichain: Network = /* @__PURE__ */ defineNetwork({
  "id": 130,
  "name": "Unichain",
  "network": "unichain",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Ether",
    "symbol": "ETH",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Uniscan",
      "url": "https://uniscan.xyz"
    }
  },
  "testnet": false
})

/** World Chain, `eip155:480`. */
export const worldchain: Network = /* @__PURE__ */ defineNetwork({
  "id": 480,
  "name": "World Chain",
  "network": "worldchain",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Ether",
    "symbol": "ETH",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Worldscan",
      "url": "https://worldscan.org"
    }
  },
  "testnet": false
})

/** Ink, `eip155:57073`. */
export const ink: Network = /* @__PURE__ */ defineNetwork({
  "id": 57073,
  "name": "Ink",
  "network": "ink",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Ether",
    "symbol": "ETH",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Blockscout",
      "url": "https://explorer.inkonchain.com"
    }
  },
  "testnet": false
})

/** Soneium Mainnet, `eip155:1868`. */
export const soneium: Network = /* @__PURE__ */ defineNetwork({
  "id": 1868,
  "name": "Soneium Mainnet",
  "network": "soneium",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Ether",
    "symbol": "ETH",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Blockscout",
      "url": "https://soneium.blockscout.com"
    }
  },
  "testnet": false
})

/** Abstract, `eip155:2741`. */
export const abstract: Network = /* @__PURE__ */ defineNetwork({
  "id": 2741,
  "name": "Abstract",
  "network": "abstract",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "ETH",
    "symbol": "ETH",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Etherscan",
      "url": "https://abscan.org"
    }
  },
  "testnet": false
})

/** Zora, `eip155:7777777`. */
export const zora: Network = /* @__PURE__ */ defineNetwork({
  "id": 7777777,
  "name": "Zora",
  "network": "zora",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Ether",
    "symbol": "ETH",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Explorer",
      "url": "https://explorer.zora.energy"
    }
  },
  "testnet": false
})

/** Taiko Mainnet, `eip155:167000`. */
export const taiko: Network = /* @__PURE__ */ defineNetwork({
  "id": 167000,
  "name": "Taiko Mainnet",
  "network": "taiko",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Ether",
    "symbol": "ETH",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Etherscan",
      "url": "https://taikoscan.io"
    }
  },
  "testnet": false
})

/** opBNB, `eip155:204`. */
export const opBNB: Network = /* @__PURE__ */ defineNetwork({
  "id": 204,
  "name": "opBNB",
  "network": "opBNB",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "BNB",
    "symbol": "BNB",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "opBNB (BSCScan)",
      "url": "https://opbnb.bscscan.com"
    }
  },
  "testnet": false
})

/** Cronos Mainnet, `eip155:25`. */
export const cronos: Network = /* @__PURE__ */ defineNetwork({
  "id": 25,
  "name": "Cronos Mainnet",
  "network": "cronos",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Cronos",
    "symbol": "CRO",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Cronos Explorer",
      "url": "https://explorer.cronos.org"
    }
  },
  "testnet": false
})

/** Metis, `eip155:1088`. */
export const metis: Network = /* @__PURE__ */ defineNetwork({
  "id": 1088,
  "name": "Metis",
  "network": "metis",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Metis",
    "symbol": "METIS",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Metis Explorer",
      "url": "https://explorer.metis.io"
    }
  },
  "testnet": false
})

/** Moonbeam, `eip155:1284`. */
export const moonbeam: Network = /* @__PURE__ */ defineNetwork({
  "id": 1284,
  "name": "Moonbeam",
  "network": "moonbeam",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Moonbeam",
    "symbol": "GLMR",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Moonscan",
      "url": "https://moonscan.io"
    }
  },
  "testnet": false
})

/** Arbitrum Nova, `eip155:42170`. */
export const arbitrumNova: Network = /* @__PURE__ */ defineNetwork({
  "id": 42170,
  "name": "Arbitrum Nova",
  "network": "arbitrumNova",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Ether",
    "symbol": "ETH",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Arbiscan",
      "url": "https://nova.arbiscan.io"
    }
  },
  "testnet": false
})

/** Sei Network, `eip155:1329`. */
export const sei: Network = /* @__PURE__ */ defineNetwork({
  "id": 1329,
  "name": "Sei Network",
  "network": "sei",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Sei",
    "symbol": "SEI",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Seiscan",
      "url": "https://seiscan.io"
    }
  },
  "testnet": false
})

/** Ronin, `eip155:2020`. */
export const ronin: Network = /* @__PURE__ */ defineNetwork({
  "id": 2020,
  "name": "Ronin",
  "network": "ronin",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "RON",
    "symbol": "RON",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Ronin Explorer",
      "url": "https://app.roninchain.com"
    }
  },
  "testnet": false
})

/** HyperEVM, `eip155:999`. */
export const hyperEvm: Network = /* @__PURE__ */ defineNetwork({
  "id": 999,
  "name": "HyperEVM",
  "network": "hyperEvm",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "HYPE",
    "symbol": "HYPE",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "HyperEVMScan",
      "url": "https://hyperevmscan.io"
    }
  },
  "testnet": false
})

/** Plasma, `eip155:9745`. */
export const plasma: Network = /* @__PURE__ */ defineNetwork({
  "id": 9745,
  "name": "Plasma",
  "network": "plasma",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Plasma",
    "symbol": "XPL",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "PlasmaScan",
      "url": "https://plasmascan.to"
    }
  },
  "testnet": false
})

/** Monad, `eip155:143`. */
export const monad: Network = /* @__PURE__ */ defineNetwork({
  "id": 143,
  "name": "Monad",
  "network": "monad",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Monad",
    "symbol": "MON",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Monadscan",
      "url": "https://monadscan.com"
    }
  },
  "testnet": false
})

/** Fraxtal, `eip155:252`. */
export const fraxtal: Network = /* @__PURE__ */ defineNetwork({
  "id": 252,
  "name": "Fraxtal",
  "network": "fraxtal",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "Frax",
    "symbol": "FRAX",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "fraxscan",
      "url": "https://fraxscan.com"
    }
  },
  "testnet": false
})

/** ApeChain, `eip155:33139`. */
export const apeChain: Network = /* @__PURE__ */ defineNetwork({
  "id": 33139,
  "name": "ApeChain",
  "network": "apeChain",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "ApeCoin",
    "symbol": "APE",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "Apescan",
      "url": "https://apescan.io"
    }
  },
  "testnet": false
})

/** X Layer Mainnet, `eip155:196`. */
export const xLayer: Network = /* @__PURE__ */ defineNetwork({
  "id": 196,
  "name": "X Layer Mainnet",
  "network": "xLayer",
  "chainNamespace": "eip155",
  "nativeCurrency": {
    "name": "OKB",
    "symbol": "OKB",
    "decimals": 18
  },
  "blockExplorers": {
    "default": {
      "name": "OKLink",
      "url": "https://www.oklink.com/xlayer"
    }
  },
  "testnet": false
})
