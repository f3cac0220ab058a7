import { GlobeIcon, SettingsIcon } from '@hawser/ui'
import { useTexts } from '../../locale/useTexts.ts'
import { Explainer } from '../../parts/Explainer.tsx'

const icons = [<SettingsIcon key="parts" size={24} />, <GlobeIcon key="uses" size={24} />]

/** Explains what a network is. */
export function WhatIsANetworkView() {
  return <Explainer parts={useTexts().whatIsANetwork.parts} icons={icons} />
}
