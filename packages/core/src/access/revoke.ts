import type { Message } from '@hawser/texts/message'
import { isSmartAccount } from '../account/account.ts'
import { type AccountOwner, activeOwner } from '../account/owner.ts'
import { sentCall } from '../activity/sentTransactions.ts'
import { accessTo, adapterOf } from '../chain/adapters.ts'
import { toast } from '../errors/messages.ts'
import { thrown } from '../errors/thrown.ts'
import { isUserRejection, walletFailureMessage } from '../errors/walletFailure.ts'
import { importModule } from '../importModule.ts'
import type { Latest } from '../latestOnly.ts'
import { reportAccess } from '../modal/accessFlows.ts'
import { previewedOwner, readPreview } from '../preview/preview.ts'
import type { Approval, Revocation, RevocationStep, RevocationStepState } from '../types/access.ts'
import type { SentCall } from '../types/activity.ts'
import type { ReceiptStatus, Revocations, SentRevocation } from '../types/adapter.ts'
import type { ConnectedSession, Hawser } from '../types/hawser.ts'
import { mostRevoked } from './selection.ts'

/** The account, its wallet, and the code that ends approvals. */
interface Revoker {
  readonly owner: AccountOwner
  readonly session: ConnectedSession
  readonly revocations: Revocations
}

/**
 * Opens the review that ends approvals of the active account, at most `mostRevoked` of them, and reads what the requests to
 * the wallet would do. Shows the review that is open already while the wallet is at work. Never throws.
 */
export async function openRevocation(hawser: Hawser, approvals: readonly Approval[]): Promise<void> {
  const owner = activeOwner(hawser)
  if (!owner || approvals.length === 0) return
  reportAccess(hawser, { kind: 'revocationOpened' })
  const { revocation } = hawser.access.getState()
  if (revocation?.isWorking && revocation.owner === owner.caipAddress) return
  const chosen = approvals.slice(0, mostRevoked(owner.network.chainNamespace))
  await review(hawser, { owner: owner.caipAddress, approvals: chosen })
}

/** Shows approvals to end, and then the requests to the wallet and what they would do. */
async function review(hawser: Hawser, asked: Pick<Revocation, 'owner' | 'approvals'>): Promise<void> {
  // One of another account makes no further request.
  hawser.latest.abandon('revocation:')
  const latest = hawser.latest.begin('revocation:review')
  const preview = previewedOwner(hawser) && 'loading'
  hawser.access.setState({ revocation: { ...asked, steps: undefined, isWorking: false, preview } })
  await Promise.all([divide(hawser, asked.approvals, latest), examine(hawser, asked.approvals, latest)])
}

/** Finds out how many requests to the wallet are needed. */
async function divide(hawser: Hawser, approvals: readonly Approval[], { isCurrent }: Latest): Promise<void> {
  try {
    const { owner, session, revocations } = await revokerOf(hawser)
    const network = accessTo(hawser, owner.network)
    const parts = await revocations.divide(session, owner.address, approvals, network)
    const steps = parts.map((part): RevocationStep => ({ approvals: part, state: 'next' }))
    if (isCurrent()) change(hawser, (revocation) => ({ ...revocation, steps }))
  } catch (error) {
    if (isCurrent()) reportFailure(hawser, error)
  }
}

/** Reads what the requests would do, unless the wallet shows that itself. */
async function examine(hawser: Hawser, approvals: readonly Approval[], latest: Latest): Promise<void> {
  const owner = previewedOwner(hawser)
  if (!owner) return
  const { signal, isCurrent } = latest
  const preview = await readPreview(hawser, owner, signal, async () => {
    const { revocations } = await revokerOf(hawser)
    return revocations.subject(accessTo(hawser, owner.network), owner.address, approvals, signal)
  })
  if (isCurrent()) change(hawser, (revocation) => ({ ...revocation, preview }))
}

/**
 * Has the wallet end the approvals of the review, one request after the other, each once the one before is in a block. Stops
 * when the visitor declines or the wallet fails; a transaction that reverts does not keep the others back. What failed can be
 * confirmed again. Never throws: a failure is shown.
 */
export async function confirmRevocation(hawser: Hawser): Promise<void> {
  const { revocation } = hawser.access.getState()
  if (!revocation?.steps || revocation.isWorking) return
  const course = hawser.latest.begin('revocation:send')
  change(hawser, (each) => ({ ...each, isWorking: true }))
  try {
    const revoker = await revokerOf(hawser)
    for (const [index, step] of revocation.steps.entries()) {
      if (!course.isCurrent()) return
      // Another account or network has become the active one.
      if (activeOwner(hawser)?.caipAddress !== revocation.owner)
        throw new Error(thrown.connectionClientNotSet)
      if (step.state !== 'done') await end(hawser, revoker, index, step, course)
    }
    if (course.isCurrent()) finish(hawser)
  } catch (error) {
    if (!course.isCurrent()) return
    change(hawser, (each) => ({ ...each, steps: each.steps?.map(withFailure), isWorking: false }))
    reportFailure(hawser, error)
  }
}

/** Drops the review, and makes no further request to the wallet. One that the wallet shows may still be confirmed there. */
export function stopRevocation(hawser: Hawser): void {
  hawser.latest.abandon('revocation:')
  hawser.access.setState({ revocation: undefined })
  reportAccess(hawser, { kind: 'revocationStopped' })
}

/** Makes one request to the wallet, and waits until it is in a block. */
async function end(
  hawser: Hawser,
  { owner, session, revocations }: Revoker,
  index: number,
  { approvals }: RevocationStep,
  course: Latest,
): Promise<void> {
  showStep(hawser, index, 'wallet')
  reportAccess(hawser, { kind: 'revocationPrompted', ...toast('confirmInWallet') })
  const network = accessTo(hawser, owner.network)
  const sent = await revocations.send(session, owner.address, approvals, network, isSmartAccount(hawser))
  reportAccess(hawser, { kind: 'revocationAnswered' })
  if (!course.isCurrent()) return
  showStep(hawser, index, 'chain')
  const outcome = await untilInBlock(hawser, owner, sent, course)
  if (!course.isCurrent()) return
  showStep(hawser, index, outcome === 'success' ? 'done' : 'failed')
  // The history of the account has changed, and its approvals with it.
  hawser.push.setState(({ activityChanges }) => ({ activityChanges: activityChanges + 1 }))
}

/** Waits until what was sent, or the same one that the wallet sent again, is in a block, or never will be. */
async function untilInBlock(
  hawser: Hawser,
  { address, network }: AccountOwner,
  sent: SentRevocation,
  { isCurrent }: Latest,
): Promise<ReceiptStatus> {
  const { waitForBatch, waitForReceipt } = await importModule(
    () => import('../activity/waitForReceipt.ts'),
    'waitForReceipt',
  )
  let call = 'call' in sent && sent.call ? sentCall(address, sent.call) : undefined
  const onShown = (shown: SentCall) => {
    call = shown
  }
  const look = () =>
    'batch' in sent
      ? waitForBatch(hawser, network.chainNamespace, sent.batch)
      : waitForReceipt(hawser, network, { hash: sent.hash, call }, { onShown })
  for (;;) {
    const { outcome } = await look()
    if (outcome !== 'pending' || !isCurrent()) return outcome
  }
}

/** Shows how the requests ended; nothing if another account has become the active one meanwhile. */
function finish(hawser: Hawser): void {
  const steps = hawser.access.getState().revocation?.steps
  if (!steps) return
  const ended = steps.filter(({ state }) => state === 'done').flatMap(({ approvals }) => approvals)
  const ids = ended.map(({ id }) => id)
  hawser.access.setState(({ selected }) => ({ selected: selected.filter((id) => !ids.includes(id)) }))
  if (steps.some(({ state }) => state !== 'done')) {
    change(hawser, (revocation) => ({ ...revocation, isWorking: false }))
    report(hawser, toast('revocationReverted'), false)
    return
  }
  hawser.access.setState({ revocation: undefined })
  reportAccess(hawser, { kind: 'revocationSucceeded', ...toast('approvalsRevoked', ended.length) })
}

function reportFailure(hawser: Hawser, error: unknown): void {
  report(hawser, walletFailureMessage(error, toast('revocationFailed')), isUserRejection(error))
}

function report(hawser: Hawser, message: Message, isDeclined: boolean): void {
  reportAccess(hawser, { kind: 'revocationFailed', ...message, isDeclined })
}

/**
 * Returns who ends the approvals of the active account.
 *
 * @throws Error without a connected wallet, or in a namespace without approvals.
 */
async function revokerOf(hawser: Hawser): Promise<Revoker> {
  const owner = activeOwner(hawser)
  const session = owner && hawser.sessions.get(owner.network.chainNamespace)
  if (!session) throw new Error(thrown.connectionClientNotSet)
  const adapter = await adapterOf(hawser, owner.network.chainNamespace)
  if (!adapter.revocations) throw new Error(thrown.unsupportedChain)
  return { owner, session, revocations: await adapter.revocations() }
}

function change(hawser: Hawser, changed: (revocation: Revocation) => Revocation): void {
  hawser.access.setState(({ revocation }) => ({ revocation: revocation && changed(revocation) }))
}

function showStep(hawser: Hawser, at: number, state: RevocationStepState): void {
  change(hawser, (revocation) => ({
    ...revocation,
    steps: revocation.steps?.map((step, index) => (index === at ? { ...step, state } : step)),
  }))
}

/** Marks the request that was not fulfilled. */
function withFailure(step: RevocationStep): RevocationStep {
  return step.state === 'wallet' || step.state === 'chain' ? { ...step, state: 'failed' } : step
}
