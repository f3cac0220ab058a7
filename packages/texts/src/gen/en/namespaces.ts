// Generated from packages/texts/languages by make generate. Do not edit.

/** The texts of sites that list networks of several namespaces. */
export const namespaces = {
  selectChain: { label: (wallet: string) => `Select a chain for ${wallet}`, text: 'Your wallet has accounts on several chains. Select the one to connect.' },
  switchChain: { label: (network: string) => `Switch to ${network}`, text: (chain: string) => `Connected wallet doesn’t support connecting to ${chain} chain. You need to connect with a different wallet.`, chains: { eip155: 'EVM', solana: 'Solana', polkadot: 'Polkadot', bip122: 'Bitcoin' }, action: 'Switch' },
} as const
