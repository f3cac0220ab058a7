import type { SwapStep } from '@hawser/core'
import { CheckIcon, Spinner } from '@hawser/ui'
import { useSwapTexts } from '../../locale/useSwapTexts.ts'
import { scrollIntoSight } from '../../parts/scrollIntoSight.ts'

export interface SwapStepsProps {
  steps: readonly SwapStep[] | undefined
}

/** The steps of a swap that needs more than one request to the wallet, with their progress. */
export function SwapSteps({ steps }: SwapStepsProps) {
  const texts = useSwapTexts()
  if (!steps || steps.length < 2) return null
  return (
    <ol className="hw-steps" aria-label={texts.preview.steps} data-testid="swap-steps">
      {steps.map(({ kind, state }, index) => (
        <li
          key={kind}
          className="hw-step"
          data-state={state}
          data-testid={`swap-step-${kind}`}
          ref={isUnderWay(state) ? scrollIntoSight : undefined}
          aria-current={isUnderWay(state) ? 'step' : undefined}
        >
          <span className="hw-step-mark" aria-hidden="true">
            {state === 'done' ? (
              <CheckIcon size={14} />
            ) : state === 'next' ? (
              index + 1
            ) : (
              <Spinner size={16} />
            )}
          </span>
          <span className="hw-step-text">
            <span>{texts.steps[kind]}</span>
            <span className={state === 'next' || state === 'done' ? 'hw-visually-hidden' : 'hw-step-state'}>
              {texts.stepStates[state]}
            </span>
          </span>
        </li>
      ))}
    </ol>
  )
}

function isUnderWay(state: SwapStep['state']): boolean {
  return state === 'wallet' || state === 'chain'
}
