import { visibleText } from '@hawser/texts/format/visibleText'
import { useState } from 'preact/hooks'
import { useTexts, useWords } from '../locale/useLanguage.ts'
import { ConcernCard } from '../views/ConcernCard.tsx'
import { concernsOfOperation } from '../views/concerns.ts'
import { GuardedButton } from '../views/GuardedButton.tsx'
import { OperationFacts } from '../views/OperationFacts.tsx'
import { useGuard } from '../views/useGuard.ts'
import type { FeeStep } from './feeStep.ts'

interface Props {
  readonly title: string
  readonly text: string
  /** What is signed, or who pays for it. */
  readonly note?: string | undefined
  /** One for each network that a transaction is sent on. */
  readonly steps: readonly (FeeStep & { readonly chainId: string })[]
  /** Of the button that signs. */
  readonly label: string
  readonly isPending: boolean
  readonly cancel: () => void
  readonly confirm: () => void
}

/** What transactions of the account cost, and the code that they give it, before they are signed. Dangerous ones need a tick. */
export function FeeConfirmation({ title, text, note, steps, label, isPending, cancel, confirm }: Props) {
  const texts = useTexts()
  const words = useWords()
  const [isAccepted, setAccepted] = useState(false)
  const concerns = steps.flatMap(({ chainId, view }) => concernsOfOperation(chainId, view, words))
  const isDangerous = concerns.some(({ isDanger }) => isDanger)
  return (
    <>
      <h2>{title}</h2>
      <p>{text}</p>
      {note && <p>{note}</p>}
      <ConcernCard concerns={concerns} />
      {steps.map(({ chainId, network, view }) => (
        <div key={chainId} class="box">
          <strong>
            <bdi>{visibleText(network.name)}</bdi>
          </strong>
          {view ? (
            <OperationFacts operation={view} network={network} price={undefined} />
          ) : (
            <p class="warning">{texts.failure.notSendable}</p>
          )}
        </div>
      ))}
      {isDangerous && <RiskTick isAccepted={isAccepted} toggle={() => setAccepted(!isAccepted)} />}
      <div class="buttons">
        <button type="button" disabled={isPending} onClick={cancel}>
          {texts.cancel}
        </button>
        <GuardedButton
          class={isDangerous ? 'danger' : 'primary'}
          disabled={isPending || (isDangerous && !isAccepted)}
          onClick={confirm}
        >
          {label}
        </GuardedButton>
      </div>
    </>
  )
}

/** The tick that accepts a risk, with a guard of its own. */
function RiskTick({ isAccepted, toggle }: { readonly isAccepted: boolean; readonly toggle: () => void }) {
  const { approval } = useTexts()
  const { watched, state, guarded } = useGuard<HTMLLabelElement>()
  return (
    <label class="check" ref={watched}>
      <input
        type="checkbox"
        checked={isAccepted}
        aria-disabled={state !== 'armed'}
        onClick={guarded(toggle)}
      />
      {approval.accept}
    </label>
  )
}
