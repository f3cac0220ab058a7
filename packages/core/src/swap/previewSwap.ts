import type { Latest } from '../latestOnly.ts'
import { type PreviewSubject, previewedOwner, readPreview } from '../preview/preview.ts'
import type { Hawser } from '../types/hawser.ts'
import type { PreviewState, PreviewWarning } from '../types/preview.ts'
import type { SwapState } from '../types/swap.ts'
import { placeSwapOrder } from './order.ts'
import type { SwapPlan } from './plan.ts'
import { type BuiltSwap, buildSwap } from './transaction.ts'

/** Reads what the requests of a plan would do, for the review of a swap. */
export async function previewSwap(hawser: Hawser, plan: SwapPlan, latest: Latest): Promise<void> {
  const owner = previewedOwner(hawser)
  if (!owner) return
  const { signal, isCurrent } = latest
  hawser.swap.setState({ preview: 'loading' })
  const subjects = subjectsOf(hawser, plan)
  const previews = await Promise.all(subjects.map((build) => readPreview(hawser, owner, signal, build)))
  if (isCurrent()) hawser.swap.setState({ preview: joined(previews) })
}

/** Reads what a built swap would do, before the wallet is requested to send it. */
export async function previewBuiltSwap(hawser: Hawser, { calls }: BuiltSwap, latest: Latest): Promise<void> {
  const owner = previewedOwner(hawser)
  if (!owner) return
  const { signal, isCurrent } = latest
  const builtPreview = await readPreview(hawser, owner, signal, () => ({ calls }))
  if (isCurrent()) hawser.swap.setState({ builtPreview })
}

/** Returns what the review of a swap shows: the preview of the steps, and that of the built swap. */
export function shownSwapPreview({
  preview,
  builtPreview,
}: Pick<SwapState, 'preview' | 'builtPreview'>): PreviewState | undefined {
  if (!builtPreview) return preview
  // The steps are previewed again: what the built swap would do stays in sight.
  if (!preview || preview === 'loading') return builtPreview
  return joined([preview, builtPreview])
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

/** Joins the previews of several requests. The outcome is the worst of those that are known. */
function joined(previews: readonly PreviewState[]): PreviewState {
  const known = previews.filter((preview) => typeof preview !== 'string')
  const worst =
    known.find(({ outcome }) => outcome === 'reverts') ??
    known.find(({ outcome }) => outcome === 'notSimulated') ??
    known[0]
  if (!worst) return 'unavailable'
  return {
    outcome: worst.outcome,
    reason: worst.reason,
    ...(worst.reasonKey && { reasonKey: worst.reasonKey }),
    cause: worst.cause,
    isPartial:
      known.length < previews.length ||
      known.some((preview) => preview !== worst && preview.outcome === 'notSimulated'),
    changes: known.flatMap(({ changes }) => changes),
    approvals: known.flatMap(({ approvals }) => approvals),
    descriptions: known.flatMap(({ descriptions = [] }) => descriptions),
    warnings: mostSevereFirst(known.flatMap(({ warnings }) => warnings)),
  }
}

const severities: readonly PreviewWarning['severity'][] = ['danger', 'caution', 'notice']

/** Sorts warnings and drops duplicates: two requests may have the same warning. */
function mostSevereFirst(warnings: readonly PreviewWarning[]): readonly PreviewWarning[] {
  const sorted = [...warnings].sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
  return sorted.filter((warning, index) => sorted.findIndex((other) => isSame(other, warning)) === index)
}

function isSame(a: PreviewWarning, b: PreviewWarning): boolean {
  return (
    a.severity === b.severity &&
    a.text === b.text &&
    a.phrase === b.phrase &&
    a.value === b.value &&
    a.subject === b.subject
  )
}
