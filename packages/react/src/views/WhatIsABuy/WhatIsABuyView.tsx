import { goBack } from '@hawser/core'
import { Button, CardIcon, CoinsIcon, SearchIcon } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useBuyTexts } from '../../locale/useBuyTexts.ts'
import { Explainer } from '../../parts/Explainer.tsx'

const icons = [
  <SearchIcon key="compare" size={24} />,
  <CardIcon key="pay" size={24} />,
  <CoinsIcon key="receive" size={24} />,
]

/** Explains how buying works. */
export function WhatIsABuyView() {
  const texts = useBuyTexts()
  const hawser = useHawser()
  return (
    <div className="hw-stack">
      <div className="hw-buy-what">
        <h3 className="hw-buy-what-lead">{texts.what.lead}</h3>
        <p className="hw-lead">{texts.what.text}</p>
      </div>
      <Explainer parts={texts.what.parts} icons={icons} />
      <Button variant="primary" wide data-testid="what-is-a-buy-button" onClick={() => goBack(hawser)}>
        {texts.what.button}
      </Button>
    </div>
  )
}
