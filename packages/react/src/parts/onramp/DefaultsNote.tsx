import { loadOnramp } from '@hawser/core'
import { AlertIcon, Button } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { en } from '../../locale/en.ts'
import { enBuy } from '../../locale/enBuy.ts'

/** A note that the built-in list is shown because the gateway did not answer. */
export function DefaultsNote() {
  const hawser = useHawser()
  return (
    <div className="hw-buy-notice" role="status" data-testid="onramp-defaults">
      <AlertIcon size={18} />
      <p>{enBuy.defaultsNote}</p>
      <Button size="small" variant="quiet" onClick={() => void loadOnramp(hawser)}>
        {en.tryAgain}
      </Button>
    </div>
  )
}
