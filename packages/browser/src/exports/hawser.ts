export {
  bitcoinWallets,
  devWallet,
  embeddedWallet,
  injected,
  polkadotWallets,
  solanaWallets,
  walletConnect,
} from '@hawser/connectors'
export { defineNetwork } from '@hawser/core'
export * from '@hawser/core/networks'
export { darkTheme, lightTheme } from '@hawser/react'
export { createSiwx } from '@hawser/siwe'
export { type PageHawser, type PageState, startHawser } from '../startHawser.tsx'
