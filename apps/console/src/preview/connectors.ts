import {
  bitcoinWallets,
  embeddedWallet,
  injected,
  polkadotWallets,
  solanaWallets,
  walletConnect,
} from '@hawser/connectors'
import type { ConnectorFactory } from '@hawser/core'
import type { Design, WalletKind } from '../studio/design.ts'

const factories: Readonly<Record<WalletKind, () => ConnectorFactory>> = {
  injected: () => injected(),
  walletConnect: () => walletConnect(),
  embeddedWallet: () => embeddedWallet(),
  solanaWallets: () => solanaWallets(),
  bitcoinWallets: () => bitcoinWallets(),
  polkadotWallets: () => polkadotWallets(),
}

/** Returns the connectors of a design. */
export function connectorsOf({ wallets }: Design): ConnectorFactory[] {
  return wallets.map((kind) => factories[kind]())
}
