import { activeOwner } from '../account/owner.ts'
import { messageOf } from '../errors/messageOf.ts'
import { toast } from '../errors/messages.ts'
import { previewedOwner } from '../preview/preview.ts'
import type { Hawser } from '../types/hawser.ts'
import { currentQuote } from './amounts.ts'
import { readPlan, stepsOf } from './plan.ts'
import { previewSwap } from './previewSwap.ts'
import { isRefusedFor } from './problems.ts'
import { avoidPermit2 } from './quote.ts'
import { VerificationError } from './verify/refusal.ts'

/** Loads the steps that the wallet will prompt for, and what they would do, to show both beforehand. Never throws. */
export async function planSwap(hawser: Hawser): Promise<void> {
  const swap = hawser.swap.getState()
  const owner = activeOwner(hawser)
  const quote = currentQuote(swap)
  if (!quote || !owner || !swap.sourceToken || swap.status !== 'draft') return
  const latest = hawser.latest.begin('swap:plan')
  const { isCurrent, signal } = latest
  try {
    const subject = { owner, quote, sourceToken: swap.sourceToken, isAtomic: swap.isAtomic === true }
    const plan = await readPlan(hawser, subject, signal)
    if (!isCurrent()) return
    hawser.swap.setState({ steps: stepsOf(plan) })
    await previewSwap(hawser, plan, latest)
  } catch (error) {
    if (!isCurrent()) return
    // A preview that an earlier plan began is not finished.
    if (previewedOwner(hawser)) hawser.swap.setState({ preview: 'unavailable' })
    if (isRefusedFor(error, 'PERMIT_UNSUPPORTED')) avoidPermit2(hawser)
    else if (error instanceof VerificationError) hawser.swap.setState({ refusal: messageOf(error) })
    else hawser.report({ kind: 'swapPlanFailed', ...toast('allowanceFailed') })
  }
}
