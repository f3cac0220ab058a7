import type { Features } from '../types/options.ts'

/** The features of a site that sets none. */
export const defaultFeatures: Features = {
  swaps: true,
  onramp: true,
  receive: true,
  send: true,
  history: true,
  access: true,
  analytics: true,
  smartSessions: false,
  legalCheckbox: false,
  collapseWallets: false,
  email: true,
  socials: ['google', 'x', 'discord', 'farcaster', 'github', 'apple', 'facebook'],
  emailShowWallets: true,
  connectMethodsOrder: undefined,
  connectorTypeOrder: [
    'recent',
    'injected',
    'walletConnect',
    'featured',
    'custom',
    'external',
    'recommended',
  ],
  walletFeaturesOrder: ['onramp', 'swaps', 'receive', 'send'],
}
