import type { SwapRouterKind } from '@hawser/core'

/** One local chain, as `.hawser/devnet.json` describes it. */
interface DevnetChain {
  chainId: number
  name: string
  rpcUrl: string
  nativeCurrency: { name: string; symbol: string; decimals: number }
  tokens: { symbol: string; name: string; address: string; decimals: number }[]
  contracts: Partial<Record<string, `0x${string}`>>
  /** The native currency as a token; absent where nothing is traded. */
  wrapped?: string
  /** Where tokens are traded. */
  venues?: { kind: SwapRouterKind; router: string }[]
}

/** The local Solana chain. */
export interface DevnetSolana {
  /** CAIP-2. */
  caip2: string
  name: string
  rpcUrl: string
  nativeCurrency: { name: string; symbol: string; decimals: number }
  accounts: { address: string; secretKey: string }[]
}

/** An address of the local Bitcoin network, with its key. */
export interface DevnetBitcoinKey {
  address: string
  /** Hex: 33 bytes, 32 for Taproot. */
  publicKey: string
  /** Hex. */
  privateKey: string
}

/** The local Bitcoin network. */
export interface DevnetBitcoin {
  /** CAIP-2. */
  caip2: string
  name: string
  nativeCurrency: { name: string; symbol: string; decimals: number }
  accounts: DevnetBitcoinAccount[]
}

export interface DevnetBitcoinAccount {
  payment: DevnetBitcoinKey
  ordinal: DevnetBitcoinKey
}

/** The local Polkadot chain. */
export interface DevnetPolkadot {
  /** CAIP-2. */
  caip2: string
  name: string
  rpcUrl: string
  nativeCurrency: { name: string; symbol: string; decimals: number }
  /** Keys are of each kind in turn; seeds are hex. */
  accounts: { address: string; type: 'sr25519' | 'ed25519' | 'ecdsa'; seed: string }[]
}

interface DevnetAccount {
  address: string
  privateKey: `0x${string}`
  path: string
}

export interface Devnet {
  chains: DevnetChain[]
  accounts: DevnetAccount[]
  mnemonic: string
  /** Absent where only EVM chains run. */
  solana?: DevnetSolana
  /** Absent where it was not started. */
  bitcoin?: DevnetBitcoin
  /** Absent where only EVM chains run. */
  polkadot?: DevnetPolkadot
}

/** The configuration of the page, loaded when it starts. */
export interface LabConfig {
  gatewayUrl: string
  projectId: string
  /** Origin of the embedded wallet's frame. */
  frameOrigin: string
  /** Origin of the servers that replace external services: hawser-dev. */
  devServersUrl: string
  /** CAIP-2 ids of the chains that the gateway serves; null when it did not answer. */
  chains: string[] | null
  /** Null when no local chains run. */
  devnet: Devnet | null
}

const timeoutMs = 5_000

/** Reads where everything is from the server of this page. */
export async function loadConfig(): Promise<LabConfig> {
  const response = await fetch('/hawser.json', { signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok) throw new Error(`/hawser.json answered ${response.status}`)
  return response.json()
}
