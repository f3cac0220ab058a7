import { WalletLinks } from '../../parts/wallets/WalletLinks.tsx'

/** Links to install a wallet, or on a phone to open this page in one. */
export function GetWalletView() {
  return <WalletLinks />
}
