import { LegalCheckbox, LegalFooter } from '../../parts/Legal.tsx'
import { WalletRows } from '../../parts/WalletRows.tsx'

/** The list of wallets, when the site collapses it behind one button. */
export function ConnectWalletsView() {
  return (
    <div className="hw-stack">
      <LegalCheckbox />
      <WalletRows />
      <LegalFooter />
    </div>
  )
}
