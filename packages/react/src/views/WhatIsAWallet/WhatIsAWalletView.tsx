import { CoinsIcon, CompassIcon, KeyIcon } from '@hawser/ui'
import { en } from '../../locale/en.ts'
import { Explainer } from '../../parts/Explainer.tsx'

const icons = [
  <KeyIcon key="login" size={24} />,
  <CoinsIcon key="assets" size={24} />,
  <CompassIcon key="web" size={24} />,
]
const parts = en.whatIsAWallet.parts.map((part, index) => ({ ...part, icon: icons[index] }))

/** What a wallet is, for those who have none. */
export function WhatIsAWalletView() {
  return <Explainer parts={parts} />
}
