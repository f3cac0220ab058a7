import { LegalCheckbox, LegalFooter } from '../../parts/Legal.tsx'
import { WalletRows } from '../../parts/WalletRows.tsx'

/** The wallets, when the site folds them behind one button. */
export function ConnectWalletsView() {
  return (
    <div className="hw-stack">
      <LegalCheckbox />
      <WalletRows />
      <LegalFooter />
    </div>
  )
}
