import { loadOnramp } from '@hawser/core'
import { AlertIcon, Button } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useBuyTexts } from '../../locale/useBuyTexts.ts'
import { useTexts } from '../../locale/useTexts.ts'

/** A note that the built-in list is shown because the gateway did not answer. */
export function DefaultsNote() {
  const buyTexts = useBuyTexts()
  const texts = useTexts()
  const hawser = useHawser()
  return (
    <div className="hw-buy-notice" role="status" data-testid="onramp-defaults">
      <AlertIcon size={18} />
      <p>{buyTexts.defaultsNote}</p>
      <Button size="small" variant="quiet" onClick={() => void loadOnramp(hawser)}>
        {texts.tryAgain}
      </Button>
    </div>
  )
}
