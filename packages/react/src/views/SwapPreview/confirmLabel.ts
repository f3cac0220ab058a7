import type { SwapReadiness, SwapState } from '@hawser/core'
import { enSwap } from '../../locale/enSwap.ts'

const { confirm } = enSwap.preview

/** What the last button says: what it will do, what is under way, or what is missing. */
export function confirmLabel(swap: SwapState, readiness: SwapReadiness): string {
  if (swap.status === 'working') return progressLabel(swap)
  if (readiness === 'ready' || readiness === 'quoting') return intentLabel(swap)
  return enSwap.labels[readiness]
}

function intentLabel({ steps = [] }: SwapState): string {
  const kinds = steps.map(({ kind }) => kind)
  if (kinds.includes('approve') || kinds.includes('batch')) return confirm.approve
  return kinds.includes('permit') ? confirm.permit : confirm.swap
}

function progressLabel({ steps = [] }: SwapState): string {
  const current = steps.find(({ state }) => state === 'wallet' || state === 'chain')
  if (!current) return enSwap.preparing
  if (current.state === 'chain') return enSwap.approving
  return current.kind === 'permit' ? enSwap.signing : enSwap.inWallet
}
