import { pushView } from '@hawser/core'
import { Button, CoinsIcon, CompassIcon, KeyIcon } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { en } from '../../locale/en.ts'
import { enGetWallet } from '../../locale/enGetWallet.ts'
import { Explainer } from '../../parts/Explainer.tsx'
import { useWalletLinks } from '../../parts/wallets/useWalletLinks.ts'

const icons = [
  <KeyIcon key="login" size={24} />,
  <CoinsIcon key="assets" size={24} />,
  <CompassIcon key="web" size={24} />,
]
const parts = en.whatIsAWallet.parts.map((part, index) => ({ ...part, icon: icons[index] }))

/** Explains what a wallet is, and links to one. */
export function WhatIsAWalletView() {
  const hawser = useHawser()
  const links = useWalletLinks()

  function openGetWallet() {
    hawser.events.emit({ event: 'CLICK_GET_WALLET' })
    pushView(hawser, 'GetWallet')
  }
  return (
    <div className="hw-stack">
      <Explainer parts={parts} />
      {links.length > 0 && (
        <Button wide variant="primary" data-testid="get-wallet" onClick={openGetWallet}>
          {enGetWallet.title}
        </Button>
      )}
    </div>
  )
}
