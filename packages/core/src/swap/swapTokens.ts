import type { Message } from '@hawser/texts/message'
import { DecimalsError, requireDecimals } from '../account/requireDecimals.ts'
import { follow as followSent, loadFollowing } from '../activity/follow.ts'
import { swapMessage } from '../activity/sentTexts.ts'
import { rememberSent, type SentTransfer, sentCall } from '../activity/sentTransactions.ts'
import type { Awaited } from '../activity/waitForReceipt.ts'
import { plainAddress } from '../address/plainAddress.ts'
import { formatUnits } from '../amounts/units.ts'
import { contractsOf, refusalOf } from '../chain/adapters.ts'
import { messageOf } from '../errors/messageOf.ts'
import { toast } from '../errors/messages.ts'
import { failure } from '../errors/thrownMessages.ts'
import { errorMessage } from '../errors/walletErrors.ts'
import { isUserRejection, walletErrorCode, walletFailureMessage } from '../errors/walletFailure.ts'
import { importModule } from '../importModule.ts'
import type { Latest } from '../latestOnly.ts'
import { reportTransfer } from '../modal/transferFlows.ts'
import { dangerousApproval, dangersOf } from '../preview/dangers.ts'
import type { SentCall, SentTransaction } from '../types/activity.ts'
import type { ContractCall, ReceiptStatus, TransferRefusal } from '../types/adapter.ts'
import type { Hawser } from '../types/hawser.ts'
import type { SwapStepKind, SwapStepState, SwapToken, UnconfirmedBecause } from '../types/swap.ts'
import { resetSwap } from './draft.ts'
import { placeSwapOrder, type SwapOrder } from './order.ts'
import { encodePermit, type Permit, readPermit, readPermitSingle } from './permit.ts'
import { type PermitPlan, readApproval, readPlan, type SwapPlan, stepsOf } from './plan.ts'
import { previewBuiltSwap, shownSwapPreview } from './previewSwap.ts'
import { isRefusedFor } from './problems.ts'
import { PERMIT2_DECLINES } from './quote.ts'
import { isNativeSwapToken } from './tokens.ts'
import { type BuildOptions, type BuiltSwap, buildSwap, PriceMovedError } from './transaction.ts'
import { isPermit2, swapContractsOf, universalRouterOf } from './verify/contracts.ts'
import { VerificationError } from './verify/refusal.ts'

/** EIP-1193 and JSON-RPC: the wallet does not know the method. */
const unknownMethodCodes = [4200, -32601]

/** Why an approval is in no block. */
const approvalFailures: Partial<Record<ReceiptStatus, Message>> = {
  cancelled: toast('transactionCancelled'),
  replaced: toast('transactionReplaced'),
}

/** A failure, with the message of its toast. */
class SwapFailure extends Error {
  constructor(
    readonly shown: Message,
    readonly isApproval: boolean,
    cause: unknown,
  ) {
    super(errorMessage(cause), { cause })
  }
}

/** The transaction could not be simulated, and the visitor has not accepted that yet. */
class UnconfirmedError extends Error {
  override readonly name = 'UnconfirmedError'

  constructor(readonly because: UnconfirmedBecause) {
    super(because.text)
  }
}

/** The preview has a danger that the visitor has not accepted yet. */
class DangerError extends Error {
  override readonly name = 'DangerError'
}

/** The wallet signed in a form that Permit2 does not accept. */
class SignatureError extends Error {
  override readonly name = 'SignatureError'
}

/** The visitor left while the swap was prepared: the wallet is not prompted any more. */
class SwapLeft extends Error {}

/**
 * Swaps: gives the spender its allowance, requests the transaction with the terms that were shown, verifies it, prompts the
 * wallet, and follows the transaction until it is in a block. If the visitor declines, the price moves, the page refuses
 * what was built or its preview has a danger that was not accepted, the swap is kept.
 *
 * @param acceptsUnconfirmed whether the visitor accepts a transaction that could not be simulated.
 * @param acceptedDangers what the visitor accepted of `dangersOf` the preview.
 * @returns the transaction hash, or the id of the batch; undefined when the wallet did not send.
 * @throws SwapError when there is nothing ready to swap.
 */
export async function swapTokens(
  hawser: Hawser,
  { acceptsUnconfirmed = false, acceptedDangers = [] }: Partial<Acceptance> = {},
): Promise<string | undefined> {
  const order = placeSwapOrder(hawser)
  hawser.latest.abandon('swap:quote')
  hawser.timers.cancel('swap:poll')
  const course = hawser.latest.begin('swap:order')
  hawser.swap.setState({ status: 'working', hasPriceMoved: false, refusal: undefined })
  void loadFollowing()
  hawser.events.emit({ event: 'INITIATE_SWAP', properties: order.properties })
  try {
    return await carryOut(hawser, { ...order, acceptsUnconfirmed, acceptedDangers }, course)
  } catch (error) {
    const cause = error instanceof SwapFailure ? error.cause : error
    const refusal = await refusalOf(hawser, order.owner.network.chainNamespace, cause)
    fail(hawser, order, error, refusal, course.isCurrent())
    return undefined
  }
}

/**
 * Verifies that the visitor has not left the swap.
 *
 * @throws SwapLeft
 */
function requireStayed({ isCurrent }: Latest): void {
  if (!isCurrent()) throw new SwapLeft()
}

async function carryOut(hawser: Hawser, order: AcceptedOrder, course: Latest): Promise<string> {
  await orFail(toast('refused'), false, () => requireShownDecimals(hawser, order))
  const plan = await orFail(toast('allowanceFailed'), true, () => readPlan(hawser, order))
  requireStayed(course)
  showPlan(hawser, plan)
  requireAccepted(hawser, order)
  if (plan.kind === 'batch') return sendBatch(hawser, order, plan.approvals, course)
  if (plan.kind === 'approve') await approve(hawser, order, plan.calls, course)
  const permit = plan.kind === 'permit' ? await permitOrApprove(hawser, order, plan, course) : undefined

  const swap = await build(hawser, order, { permit })
  requireStayed(course)
  await examine(hawser, order, swap, course, permit !== undefined)
  return send(hawser, order, swap, course)
}

/** Verifies with the wallet's own node that the visitor signs the amounts that were shown. */
async function requireShownDecimals(hawser: Hawser, order: SwapOrder): Promise<void> {
  const { session, owner, sourceToken, toToken } = order
  const tokens = [sourceToken, toToken].map((token) => ({
    symbol: token.symbol,
    decimals: token.decimals,
    contract: isNativeSwapToken(token) ? undefined : plainAddress(token.address),
  }))
  await requireDecimals(hawser, session, owner.network, tokens)
}

interface Acceptance {
  readonly acceptsUnconfirmed: boolean
  readonly acceptedDangers: readonly string[]
}

type AcceptedOrder = SwapOrder & Acceptance

/**
 * Reads what a built swap would do, unless the preview of its steps shows it.
 *
 * @param isNew whether the swap could not be built before.
 * @throws SwapLeft, or DangerError.
 */
async function examine(
  hawser: Hawser,
  order: AcceptedOrder,
  swap: BuiltSwap,
  course: Latest,
  isNew: boolean,
): Promise<void> {
  const { preview } = hawser.swap.getState()
  if (isNew || !preview || preview === 'loading') await previewBuiltSwap(hawser, swap, course)
  requireStayed(course)
  requireAccepted(hawser, order)
}

/**
 * Verifies that the visitor accepted the dangers of the preview.
 *
 * @throws DangerError
 */
function requireAccepted(hawser: Hawser, { acceptedDangers }: AcceptedOrder): void {
  const dangers = dangersOf(shownSwapPreview(hawser.swap.getState()))
  if (dangers.some((danger) => !acceptedDangers.includes(danger)))
    throw new DangerError(toast('refused').message)
}

/**
 * Builds the swap.
 *
 * @throws SwapFailure, PriceMovedError, or UnconfirmedError.
 */
async function build(hawser: Hawser, order: AcceptedOrder, options: BuildOptions): Promise<BuiltSwap> {
  const swap = await orFail(toast('swapFailed'), false, () => buildSwap(hawser, order, options))
  if (swap.unconfirmedBecause && !order.acceptsUnconfirmed)
    throw new UnconfirmedError(swap.unconfirmedBecause)
  return swap
}

async function send(hawser: Hawser, order: SwapOrder, swap: BuiltSwap, course: Latest): Promise<string> {
  const { session, owner } = order
  const [call] = swap.calls
  if (!call) throw new SwapLeft()
  showStep(hawser, 'swap', 'wallet')
  reportTransfer(hawser, { kind: 'swapPrompted', ...toast('confirmInWallet') })
  const hash = await orFail(toast('transactionFailed'), false, async () => {
    const contracts = await contractsOf(hawser, owner.network.chainNamespace)
    return contracts.send(session, owner.address, call, owner.network.caipNetworkId, swap.gasLimit)
  })
  follow(hawser, order, swap, { hash, to: call.to, call }, course)
  return hash
}

async function sendBatch(
  hawser: Hawser,
  order: AcceptedOrder,
  approvals: readonly ContractCall[],
  course: Latest,
): Promise<string> {
  const { session, owner } = order
  const swap = await build(hawser, order, { approvals })
  requireStayed(course)
  await examine(hawser, order, swap, course, false)
  showStep(hawser, 'batch', 'wallet')
  reportTransfer(hawser, { kind: 'swapPrompted', ...toast('confirmInWallet') })
  const id = await orFail(toast('transactionFailed'), false, async () => {
    const contracts = await contractsOf(hawser, owner.network.chainNamespace)
    return contracts.sendBatch(session, owner.address, swap.calls, owner.network.caipNetworkId)
  })
  follow(hawser, order, swap, { hash: '', batch: id, to: owner.address }, course)
  return id
}

/** Shows that the swap is pending, and its result. */
function follow(
  hawser: Hawser,
  { owner, sourceToken, toToken, quote }: SwapOrder,
  { toAmount, deadline }: BuiltSwap,
  answer: Pick<SentTransfer, 'hash' | 'batch' | 'to' | 'call'>,
  course: Latest,
): void {
  const sent = rememberSent(hawser, owner, {
    ...answer,
    transfer: movement(sourceToken, quote.fromAmount),
    received: movement(toToken, toAmount),
    deadline: Number(deadline) * 1_000 || hawser.clock.now(),
    approval: dangerousApproval(shownSwapPreview(hawser.swap.getState())),
  })
  leave(hawser, sent, course)
  reportTransfer(hawser, { kind: 'swapSubmitted', ...swapMessage(sent) })
  void followSent(hawser, sent)
}

/** Sends the approvals one after the other, each once the one before is in a block. */
async function approve(
  hawser: Hawser,
  order: SwapOrder,
  calls: readonly ContractCall[],
  course: Latest,
): Promise<void> {
  const { session, owner } = order
  const contracts = await contractsOf(hawser, owner.network.chainNamespace)
  for (const [index, call] of calls.entries()) {
    const kind = index < calls.length - 1 ? 'reset' : 'approve'
    requireStayed(course)
    showStep(hawser, kind, 'wallet')
    reportTransfer(hawser, { kind: 'swapPrompted', ...toast('approveInWallet') })
    await orFail(toast('transactionFailed'), true, async () => {
      const hash = await contracts.send(session, owner.address, call, owner.network.caipNetworkId)
      reportTransfer(hawser, { kind: 'swapAnswered' })
      showStep(hawser, kind, 'chain')
      const outcome = await untilInBlock(hawser, order, { hash, call: sentCall(owner.address, call) }, course)
      const reason = approvalFailures[outcome]
      if (reason) throw new SwapFailure(reason, true, new Error(reason.message))
      if (outcome !== 'success') throw new Error(toast('transactionReverted').message)
    })
    showStep(hawser, kind, 'done')
  }
}

/** Waits until an approval, or the same one that the wallet sent again, is in a block, or never will be. */
async function untilInBlock(
  hawser: Hawser,
  { owner }: SwapOrder,
  approval: Required<Pick<Awaited, 'hash' | 'call'>>,
  course: Latest,
): Promise<ReceiptStatus> {
  const { waitForReceipt } = await importModule(
    () => import('../activity/waitForReceipt.ts'),
    'waitForReceipt',
  )
  for (let awaited: Awaited = approval; ; ) {
    const onShown = (call: SentCall) => {
      awaited = { ...awaited, call }
    }
    const { outcome } = await waitForReceipt(hawser, owner.network, awaited, { onShown })
    requireStayed(course)
    if (outcome !== 'pending') return outcome
  }
}

/** Has the permit signed, after the approvals of Permit2. A wallet that cannot sign a permit of a token sends an approval instead. */
async function permitOrApprove(
  hawser: Hawser,
  order: SwapOrder,
  { typedData, approvals }: PermitPlan,
  course: Latest,
): Promise<string | undefined> {
  const permit = await orFail(toast('transactionFailed'), true, async () =>
    verifiedPermit(hawser, order, typedData),
  )
  await approve(hawser, order, approvals, course)
  const signed = await orFail(toast('transactionFailed'), true, () => signPermit(hawser, order, permit))
  requireStayed(course)
  if (signed) {
    showStep(hawser, 'permit', 'done')
    return signed
  }
  const plan = await orFail(toast('approvalFailed'), true, () => readApproval(hawser, order))
  requireStayed(course)
  showPlan(hawser, plan)
  await approve(hawser, order, plan.calls, course)
  return undefined
}

/**
 * Returns a verified permit.
 *
 * @throws VerificationError
 */
function verifiedPermit(hawser: Hawser, { owner, quote }: SwapOrder, typedData: string): Permit {
  const { spender = '' } = quote
  const terms = {
    token: plainAddress(quote.from),
    owner: owner.address,
    spender,
    amount: quote.fromAmount,
    chainId: String(owner.network.id),
    now: Math.floor(hawser.clock.now() / 1_000),
  }
  if (!isPermit2(spender)) return readPermit(typedData, terms)
  const router = universalRouterOf(swapContractsOf(hawser, owner.network.caipNetworkId))
  return readPermitSingle(typedData, { ...terms, spender: router })
}

/** Has the wallet sign a permit; undefined if it cannot sign a permit of a token. */
async function signPermit(
  hawser: Hawser,
  { session, owner, quote }: SwapOrder,
  permit: Permit,
): Promise<string | undefined> {
  showStep(hawser, 'permit', 'wallet')
  reportTransfer(hawser, { kind: 'swapPrompted', ...toast('signInWallet') })
  try {
    const contracts = await contractsOf(hawser, owner.network.chainNamespace)
    const { caipNetworkId } = owner.network
    const signature = await contracts.signTypedData(session, owner.address, permit.typedData, caipNetworkId)
    const signed = encodePermit(signature, ...permit.words)
    if (!signed && isPermit2(quote.spender)) throw new SignatureError()
    return signed
  } catch (error) {
    if (cannotSign(error) && !isPermit2(quote.spender)) return undefined
    throw error
  } finally {
    reportTransfer(hawser, { kind: 'swapAnswered' })
  }
}

/** Reports whether the wallet lacks the method. */
function cannotSign(error: unknown): boolean {
  return unknownMethodCodes.includes(walletErrorCode(error) ?? 0)
}

/** Returns how often the wallet declined to sign for Permit2, including a failure: the maximum if it cannot sign, so that the next quotes avoid Permit2. */
function permit2DeclinesAfter(hawser: Hawser, { quote }: SwapOrder, failure: unknown): number {
  const { steps, permit2Declines } = hawser.swap.getState()
  if (!isPermit2(quote.spender)) return permit2Declines
  const error = failure instanceof SwapFailure ? failure.cause : failure
  const isRefused = isRefusedFor(error, 'PERMIT_UNSUPPORTED')
  if (isRefused || error instanceof SignatureError || cannotSign(error)) return PERMIT2_DECLINES
  const isAsked = steps?.some(({ kind, state }) => kind === 'permit' && state === 'wallet') === true
  return isAsked && isUserRejection(error) ? permit2Declines + 1 : permit2Declines
}

/** Runs a task; throws a SwapFailure with the message of its toast if it fails. */
async function orFail<T>(shown: Message, isApproval: boolean, task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (error) {
    const isKnown = [SwapLeft, PriceMovedError, SwapFailure].some((kind) => error instanceof kind)
    if (isKnown) throw error
    throw new SwapFailure(shown, isApproval, error)
  }
}

/** Resets the swap after it was sent. */
function leave(hawser: Hawser, sent: SentTransaction, { isCurrent }: Latest): void {
  if (!isCurrent()) return
  hawser.send.setState({ sent })
  resetSwap(hawser)
  reportTransfer(hawser, { kind: 'swapSent' })
}

function fail(
  hawser: Hawser,
  order: SwapOrder,
  error: unknown,
  contractRefusal: TransferRefusal | undefined,
  isCurrent: boolean,
): void {
  const hasApproved =
    hawser.swap.getState().steps?.some(({ kind, state }) => kind !== 'permit' && state === 'done') === true
  if (isCurrent) {
    const hasPriceMoved = error instanceof PriceMovedError
    const unconfirmedBecause = error instanceof UnconfirmedError ? error.because : undefined
    const found = refusalIn(error)
    const refusal = found && messageOf(found)
    const permit2Declines = permit2DeclinesAfter(hawser, order, error)
    hawser.swap.setState({
      status: 'draft',
      steps: undefined,
      hasPriceMoved,
      unconfirmedBecause,
      refusal,
      permit2Declines,
      ...(!(error instanceof DangerError) && { builtPreview: undefined }),
    })
  }
  if (error instanceof SwapLeft) return
  if (isCurrent) {
    const message = toastOf(error, contractRefusal, hasApproved)
    reportTransfer(hawser, { kind: 'swapFailed', ...message, isDeclined: isUserRejection(error) })
  }
  const properties = { ...order.properties, message: errorMessage(error) }
  const isApproval = error instanceof SwapFailure && error.isApproval
  hawser.events.emit({ event: isApproval ? 'SWAP_APPROVAL_ERROR' : 'SWAP_ERROR', properties })
}

/** Returns the refusal of the page, if that is what failed. */
function refusalIn(error: unknown): Error | undefined {
  const cause = error instanceof SwapFailure ? error.cause : error
  return cause instanceof VerificationError || cause instanceof DecimalsError ? cause : undefined
}

function toastOf(
  error: unknown,
  contractRefusal: TransferRefusal | undefined,
  hasApproved: boolean,
): Message {
  if (error instanceof PriceMovedError) return toast('priceMoved')
  if (error instanceof UnconfirmedError) return toast('swapUnconfirmed')
  if (refusalIn(error) || error instanceof DangerError) return toast('refused')
  if (isUserRejection(error)) return hasApproved ? toast('declinedAfterApproval') : toast('declined')
  if (!(error instanceof SwapFailure)) return toast('transactionFailed')
  if (contractRefusal && 'chain' in contractRefusal) return toast('contractRefused', contractRefusal.chain)
  if (isRefusedFor(error.cause, 'CHAIN_UNSUPPORTED')) return failure('swapsUnsupported')
  if (isRefusedFor(error.cause, 'BALANCE_INSUFFICIENT')) return toast('insufficientBalance')
  return walletFailureMessage(error.cause, error.shown)
}

function showPlan(hawser: Hawser, plan: SwapPlan): void {
  hawser.swap.setState({ steps: stepsOf(plan) })
}

function showStep(hawser: Hawser, kind: SwapStepKind, state: SwapStepState): void {
  hawser.swap.setState(({ steps }) => ({
    steps: steps?.map((step) => (step.kind === kind ? { ...step, state } : step)),
  }))
}

function movement(token: SwapToken, amount: bigint) {
  const { name, symbol, decimals, address } = token
  return {
    fungibleInfo: { name, symbol, decimals, ...(!isNativeSwapToken(token) && { address }) },
    quantity: { numeric: formatUnits(amount, decimals) },
  }
}
