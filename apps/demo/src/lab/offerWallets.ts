import { injectSatsWallet } from './bitcoinWallet/satsWallet.ts'
import type { DevnetBitcoin, DevnetPolkadot, DevnetSolana, LabConfig } from './config.ts'
import type { Flags } from './flags.ts'
import { offerPolkadotWallet } from './polkadotWallet/offerPolkadotWallet.ts'
import type { WalletFault } from './walletFault.ts'

/**
 * Registers the Dev wallet of the other namespaces, where connectors find it like an extension. Resolves once
 * all are registered, because extensions are injected before the page loads.
 */
export async function offerWallets(
  { devnet }: LabConfig,
  flags: Flags,
  walletFault: WalletFault,
): Promise<void> {
  const { namespaces } = flags
  if (devnet?.polkadot && namespaces.includes('polkadot')) offerPolkadot(devnet.polkadot, flags, walletFault)
  await Promise.all([
    devnet?.solana && namespaces.includes('solana') && offerSolana(devnet.solana, flags, walletFault),
    devnet?.bitcoin && namespaces.includes('bip122') && offerBitcoin(devnet.bitcoin, flags, walletFault),
  ])
}

async function offerSolana(
  { rpcUrl, accounts }: DevnetSolana,
  { solanaAccount }: Flags,
  { features }: WalletFault,
): Promise<void> {
  const account = accounts[solanaAccount]
  const { registerSolanaWallet } = await import('./solanaWallet/solanaWallet.ts')
  if (account) await registerSolanaWallet({ ...account, rpcUrl, features })
}

async function offerBitcoin(
  { accounts }: DevnetBitcoin,
  { bitcoinAccount, bitcoinWallet }: Flags,
  { features }: WalletFault,
): Promise<void> {
  const account = accounts[bitcoinAccount]
  if (!account) return
  if (bitcoinWallet === 'sats') {
    injectSatsWallet({ account, features })
    return
  }
  const { registerBitcoinWallet } = await import('./bitcoinWallet/standardWallet.ts')
  registerBitcoinWallet({ account, features })
}

function offerPolkadot(
  { accounts }: DevnetPolkadot,
  { polkadotAccount: group }: Flags,
  { features }: WalletFault,
): void {
  offerPolkadotWallet({ accounts: accounts.slice(3 * group, 3 * group + 3), features })
}
