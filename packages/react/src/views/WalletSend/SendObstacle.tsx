import { estimateSendGas, type SendReadiness } from '@hawser/core'
import { Button } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useMessages } from '../../locale/textsOf.ts'
import { useTexts } from '../../locale/useTexts.ts'

/** Says why a transfer would fail, if that is known, and estimates it again. Nothing unless the node did not estimate it. */
export function SendObstacle({ readiness }: { readiness: SendReadiness }) {
  const texts = useTexts()
  const messages = useMessages()
  const hawser = useHawser()
  const refusal = useHawserState(hawser.send, (state) => state.refusal)
  if (readiness !== 'gasUnavailable' && readiness !== 'refused') return null
  return (
    <>
      {refusal && (
        <p className="hw-note" role="status" data-testid="send-refusal">
          {'page' in refusal ? messages(refusal.page) : reasonText(refusal.chain, texts.send)}
        </p>
      )}
      <Button variant="quiet" size="small" wide onClick={() => void estimateSendGas(hawser)}>
        {texts.tryAgain}
      </Button>
    </>
  )
}

/** Returns a reason from outside as a quotation whose direction of writing is its own. */
function reasonText(reason: string, texts: ReturnType<typeof useTexts>['send']): string {
  return reason ? texts.reason(`\u2068${reason}\u2069`) : texts.noReason
}
