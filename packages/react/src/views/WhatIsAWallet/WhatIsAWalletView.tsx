import { pushView } from '@hawser/core'
import { Button, CoinsIcon, CompassIcon, KeyIcon } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useGetWalletTexts } from '../../locale/useGetWalletTexts.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { Explainer } from '../../parts/Explainer.tsx'
import { useWalletLinks } from '../../parts/wallets/useWalletLinks.ts'

const icons = [
  <KeyIcon key="login" size={24} />,
  <CoinsIcon key="assets" size={24} />,
  <CompassIcon key="web" size={24} />,
]

/** Explains what a wallet is, and links to one. */
export function WhatIsAWalletView() {
  const texts = useTexts()
  const getWalletTexts = useGetWalletTexts()
  const hawser = useHawser()
  const links = useWalletLinks()

  function openGetWallet() {
    hawser.events.emit({ event: 'CLICK_GET_WALLET' })
    pushView(hawser, 'GetWallet')
  }
  return (
    <div className="hw-stack">
      <Explainer parts={texts.whatIsAWallet.parts} icons={icons} />
      {links.length > 0 && (
        <Button wide variant="primary" data-testid="get-wallet" onClick={openGetWallet}>
          {getWalletTexts.title}
        </Button>
      )}
    </div>
  )
}
