import { WalletLinks } from '../../parts/wallets/WalletLinks.tsx'

/** Where to get a wallet, or on a phone which wallet to open this page in. */
export function GetWalletView() {
  return <WalletLinks />
}
