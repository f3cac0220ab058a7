import { GlobeIcon, SettingsIcon } from '@hawser/ui'
import { en } from '../../locale/en.ts'
import { Explainer } from '../../parts/Explainer.tsx'

const icons = [<SettingsIcon key="parts" size={24} />, <GlobeIcon key="uses" size={24} />]
const parts = en.whatIsANetwork.parts.map((part, index) => ({ ...part, icon: icons[index] }))

/** Explains what a network is. */
export function WhatIsANetworkView() {
  return <Explainer parts={parts} />
}
