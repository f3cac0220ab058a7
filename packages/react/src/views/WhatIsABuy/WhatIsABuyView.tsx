import { goBack } from '@hawser/core'
import { Button, CardIcon, CoinsIcon, SearchIcon } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { enBuy } from '../../locale/enBuy.ts'
import { Explainer } from '../../parts/Explainer.tsx'

const icons = [
  <SearchIcon key="compare" size={24} />,
  <CardIcon key="pay" size={24} />,
  <CoinsIcon key="receive" size={24} />,
]
const parts = enBuy.what.parts.map((part, index) => ({ ...part, icon: icons[index] }))

/** Explains how buying works. */
export function WhatIsABuyView() {
  const hawser = useHawser()
  return (
    <div className="hw-stack">
      <div className="hw-buy-what">
        <h3 className="hw-buy-what-lead">{enBuy.what.lead}</h3>
        <p className="hw-lead">{enBuy.what.text}</p>
      </div>
      <Explainer parts={parts} />
      <Button variant="primary" wide data-testid="what-is-a-buy-button" onClick={() => goBack(hawser)}>
        {enBuy.what.button}
      </Button>
    </div>
  )
}
