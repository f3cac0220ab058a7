import { chooseReceiver, type Doubt, setReceiver } from '@hawser/core'
import { AlertIcon, Button } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useReceiverCheckTexts } from '../../locale/useReceiverCheckTexts.ts'
import { ComparedAddress } from './ComparedAddress.tsx'
import { differences } from './differences.ts'

export interface ReceiverDoubtProps {
  doubt: Doubt
  /** Called when the visitor chose an address, and the choice is about to disappear. */
  onChosen: () => void
}

/** Shows a doubtful receiver below the address that it can be mistaken for, and lets the visitor choose one. */
export function ReceiverDoubt({ doubt, onChosen }: ReceiverDoubtProps) {
  const texts = useReceiverCheckTexts()
  const hawser = useHawser()
  const receiver = useHawserState(hawser.send, (state) => state.receiverAddress)
  const known = doubt.kind === 'lookAlike' ? doubt.known : undefined

  function choose(take: () => void) {
    take()
    onChosen()
  }
  return (
    <div className="hw-severe hw-doubt" data-testid="send-doubt">
      <div role="alert">
        <p className="hw-doubt-title">
          <AlertIcon size={18} />
          {known ? texts.title : texts.suspectTitle}
        </p>
        {known && <Difference receiver={receiver} known={known.address} />}
        <p>{texts.why}</p>
      </div>
      <dl>
        {known && known.dealing !== 'suspect' && (
          <div>
            <dt>{texts[known.dealing]}</dt>
            <dd data-testid="send-doubt-known">
              <ComparedAddress address={known.address} other={receiver} />
            </dd>
          </div>
        )}
        <div>
          <dt>{texts.entered}</dt>
          <dd data-testid="send-doubt-receiver">
            <ComparedAddress address={receiver} other={known?.address} />
          </dd>
        </div>
      </dl>
      {doubt.kind === 'lookAlike' && doubt.isKnownReal && (
        <Button
          variant="primary"
          wide
          data-testid="send-use-known"
          onClick={() => choose(() => void setReceiver(hawser, doubt.known.address))}
        >
          {texts.useKnown}
        </Button>
      )}
      <Button wide data-testid="send-use-new" onClick={() => choose(() => chooseReceiver(hawser))}>
        {texts.useNew}
      </Button>
    </div>
  )
}

/** Says which characters of the receiver differ: "characters 7 to 38". */
function Difference({ receiver, known }: { receiver: string; known: string }) {
  const texts = useReceiverCheckTexts()
  const isDifferent = differences(receiver, known)
  return <p>{texts.range(isDifferent.indexOf(true) + 1, isDifferent.lastIndexOf(true) + 1)}</p>
}
