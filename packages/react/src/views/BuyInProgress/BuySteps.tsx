import type { BuyOrder, BuyOrderState } from '@hawser/core'
import type { Texts } from '@hawser/texts/modal/texts'
import { AlertIcon, CheckIcon, Spinner } from '@hawser/ui'
import { useBuyTexts } from '../../locale/useBuyTexts.ts'

type StepState = 'next' | 'now' | 'done' | 'failed'

/** The steps of an order, with the current one marked. */
export function BuySteps({ order }: { order: BuyOrder }) {
  const texts = useBuyTexts().progress
  const payment = paymentStep(order.state)
  const tokens = tokenStep(order.state)
  return (
    <ol className="hw-buy-steps" aria-label={texts.stepsLabel} data-testid="buy-steps">
      <Step
        state={payment}
        text={order.state === 'pending' ? texts.checking : wordOf(texts, 'payment', payment)}
      />
      <Step state={tokens} text={wordOf(texts, 'tokens', tokens)} />
    </ol>
  )
}

function Step({ state, text }: { state: StepState; text: string }) {
  return (
    <li className="hw-buy-step" data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
      <span className="hw-buy-step-mark">
        {state === 'now' && <Spinner size={18} />}
        {state === 'done' && <CheckIcon size={14} />}
        {state === 'failed' && <AlertIcon size={14} />}
      </span>
      {text}
    </li>
  )
}

function wordOf({ steps }: Texts['buy']['progress'], step: 'payment' | 'tokens', state: StepState): string {
  return steps[step][state === 'failed' ? 'next' : state]
}

function paymentStep(state: BuyOrderState): StepState {
  switch (state) {
    case 'created':
    case 'pending':
      return 'now'
    case 'paid':
    case 'completed':
      return 'done'
    case 'failed':
    case 'refunded':
      return 'failed'
    default:
      return 'next'
  }
}

function tokenStep(state: BuyOrderState): StepState {
  if (state === 'completed') return 'done'
  return state === 'paid' ? 'now' : 'next'
}
