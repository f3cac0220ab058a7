import type { Doubt } from '@hawser/core'
import { AlertIcon, Button } from '@hawser/ui'
import { useReceiverCheckTexts } from '../../locale/useReceiverCheckTexts.ts'
import { ComparedAddress } from './ComparedAddress.tsx'
import { differences } from './differences.ts'

export interface ReceiverDoubtProps {
  doubt: Doubt
  /** The doubtful address. */
  receiver: string
  /** Takes the address that the receiver can be mistaken for. The choice is about to disappear. */
  onUseKnown: (known: string) => void
  /** Takes the doubtful address. The choice is about to disappear. */
  onUseNew: () => void
}

/** Shows a doubtful receiver below the address that it can be mistaken for, and lets the visitor choose one. */
export function ReceiverDoubt({ doubt, receiver, onUseKnown, onUseNew }: ReceiverDoubtProps) {
  const texts = useReceiverCheckTexts()
  const known = doubt.kind === 'lookAlike' ? doubt.known : undefined
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
            <dt>
              {known.dealing === 'contact'
                ? texts.contact(`\u2068${known.name ?? ''}\u2069`)
                : texts[known.dealing]}
            </dt>
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
          onClick={() => onUseKnown(doubt.known.address)}
        >
          {texts.useKnown}
        </Button>
      )}
      <Button wide data-testid="send-use-new" onClick={onUseNew}>
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
