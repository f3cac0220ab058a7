import type { Latest } from '../latestOnly.ts'
import { type PreviewSubject, previewedOwner, readPreview } from '../preview/preview.ts'
import type { Hawser } from '../types/hawser.ts'
import type { PreviewState } from '../types/preview.ts'
import { placeSwapOrder } from './order.ts'
import type { SwapPlan } from './plan.ts'
import { type BuiltSwap, buildSwap } from './transaction.ts'

/** Reads what the requests of a plan would do, for the review of a swap. */
export async function previewSwap(hawser: Hawser, plan: SwapPlan, latest: Latest): Promise<void> {
  await show(hawser, subjectsOf(hawser, plan), latest)
}

/** Reads what a built swap would do, before the wallet is requested to send it. */
export async function previewBuiltSwap(hawser: Hawser, { calls }: BuiltSwap, latest: Latest): Promise<void> {
  await show(hawser, [() => ({ calls })], latest)
}

type SubjectBuilder = () => PreviewSubject | Promise<PreviewSubject>

/**
 * Returns the subjects of the preview. Approvals and swap are simulated as one batch. A swap with a permit
 * cannot be built before the permit is signed.
 */
function subjectsOf(hawser: Hawser, plan: SwapPlan): readonly SubjectBuilder[] {
  switch (plan.kind) {
    case 'allowed':
      return [async () => ({ calls: (await buildSwap(hawser, placeSwapOrder(hawser))).calls })]
    case 'permit': {
      const { approvals: calls, typedData } = plan
      return [...(calls.length > 0 ? [() => ({ calls })] : []), () => ({ typedData })]
    }
    default: {
      const approvals = plan.kind === 'batch' ? plan.approvals : plan.calls
      return [async () => ({ calls: (await buildSwap(hawser, placeSwapOrder(hawser), { approvals })).calls })]
    }
  }
}

async function show(
  hawser: Hawser,
  subjects: readonly SubjectBuilder[],
  { signal, isCurrent }: Latest,
): Promise<void> {
  const owner = previewedOwner(hawser)
  if (!owner) return
  hawser.swap.setState({ preview: 'loading' })
  const previews = await Promise.all(subjects.map((build) => readPreview(hawser, owner, signal, build)))
  if (isCurrent()) hawser.swap.setState({ preview: previews.reduce(joined) })
}

/** Joins the previews of two requests. The outcome is the worse of the two. */
function joined(first: PreviewState, second: PreviewState): PreviewState {
  if (typeof first === 'string') return first
  if (typeof second === 'string') return second
  const worse = second.outcome === 'reverts' || second.outcome === 'notSimulated' ? second : first
  return {
    outcome: worse.outcome,
    reason: worse.reason,
    cause: worse.cause,
    changes: [...first.changes, ...second.changes],
    approvals: [...first.approvals, ...second.approvals],
    warnings: [...first.warnings, ...second.warnings],
  }
}
