import { type SwapReadiness, type SwapState, toasts } from '@hawser/core'
import { enSwap } from '../../locale/enSwap.ts'

const { confirm } = enSwap.preview

/** The label of the confirm button: its action, or what is missing. */
export function confirmLabel(swap: SwapState, readiness: SwapReadiness): string {
  const isIntent = swap.status === 'working' || readiness === 'ready' || readiness === 'quoting'
  return isIntent ? intentLabel(swap) : enSwap.labels[readiness]
}

function intentLabel({ steps = [] }: SwapState): string {
  const kinds = steps.map(({ kind }) => kind)
  if (kinds.includes('approve') || kinds.includes('batch')) return confirm.approve
  return kinds.includes('permit') ? confirm.permit : confirm.swap
}

/** The status text of a swap without a list of steps; undefined otherwise. */
export function progressOf({ status, steps = [] }: SwapState): string | undefined {
  if (status !== 'working') return undefined
  const current = steps.find(({ state }) => state === 'wallet' || state === 'chain')
  if (!current) return enSwap.preparing
  return steps.length > 1 ? undefined : toasts.confirmInWallet
}
