import type { SwapReadiness, SwapState } from '@hawser/core'
import type { Texts } from '@hawser/texts/modal/texts'
import type { CoreTexts } from '../../locale/textsOf.ts'

/** Returns the label of the confirm button: its action, or what is missing. */
export function confirmLabel(swap: SwapState, readiness: SwapReadiness, texts: Texts['swap']): string {
  const isIntent = swap.status === 'working' || readiness === 'ready' || readiness === 'quoting'
  return isIntent ? intentLabel(swap, texts) : texts.labels[readiness]
}

function intentLabel({ steps = [] }: SwapState, { preview: { confirm } }: Texts['swap']): string {
  const kinds = steps.map(({ kind }) => kind)
  if (kinds.includes('approve') || kinds.includes('batch')) return confirm.approve
  return kinds.includes('permit') ? confirm.permit : confirm.swap
}

/** Returns the status text of a swap without a list of steps; undefined otherwise. */
export function progressOf(
  { status, steps = [] }: SwapState,
  texts: Texts['swap'],
  { toasts }: CoreTexts,
): string | undefined {
  if (status !== 'working') return undefined
  const current = steps.find(({ state }) => state === 'wallet' || state === 'chain')
  if (!current) return texts.preparing
  return steps.length > 1 ? undefined : toasts.confirmInWallet
}
