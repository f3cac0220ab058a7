import { activeOwner } from '../account/owner.ts'
import { queryWallet } from '../account/queryWallet.ts'
import { watchBalances } from '../account/watchBalances.ts'
import { toast } from '../errors/messages.ts'
import { QUOTE_DEBOUNCE_MS } from '../limits.ts'
import { retryWhileFailing } from '../retryWhileFailing.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'
import type { SwapArguments, SwapState } from '../types/swap.ts'
import { currentQuote, sourceAmount } from './amounts.ts'
import { loadSwapBalances } from './balances.ts'
import { isSwapView, resetSwap } from './draft.ts'
import { initialSwap } from './initialSwap.ts'
import { isSwapNetwork } from './networks.ts'
import { isRefusedFor } from './problems.ts'
import { requestQuote, signsForPermit2 } from './quote.ts'
import { findSwapToken, isNativeSwapToken, loadSwapPrices, readSwapTokens } from './tokens.ts'

/** The first quote waits for the answer. */
const CAPABILITIES_DEADLINE_MS = 1_000

/**
 * Keeps the swap up to date while one of its views is shown: loads the tokens, requests a quote 200 ms after the last key stroke, and refreshes it. A hidden
 * tab sends no requests. Another account or network resets the swap, and so does leaving the views.
 *
 * @param wanted the initial swap.
 * @returns a function that stops all this.
 */
export function watchSwap(hawser: Hawser, wanted: SwapArguments = {}): () => void {
  const page = typeof document === 'undefined' ? undefined : document

  function refresh(): void {
    hawser.latest.abandon('swap:quote')
    hawser.timers.cancel('swap:poll')
    if (!page?.hidden) void requestQuote(hawser)
  }

  let beginning = wanted
  const { run: start, stop } = retryWhileFailing(hawser, {
    read: () => startSwap(hawser, beginning),
    hasFailed: () => hawser.swap.getState().availability === 'unreachable',
  })
  const stops = [
    stop,
    watchBalances(hawser),
    hawser.chain.subscribe((state, before) => {
      if (state.activeCaipAddress === before.activeCaipAddress) return
      resetSwap(hawser)
      beginning = {}
      start()
    }),
    hawser.push.subscribe((state, before) => {
      if (state.activityChanges !== before.activityChanges) void loadSwapBalances(hawser)
    }),
    hawser.swap.subscribe((state, before) => {
      if (state.status === 'draft' && before.status !== 'draft') refresh()
      if (!isOtherQuestion(state, before)) return
      hawser.latest.abandon('swap:quote')
      // The next quote is planned by the review.
      if (!currentQuote(state)) hawser.latest.abandon('swap:plan')
      hawser.swap.setState({
        isQuoting: true,
        isLive: false,
        problem: undefined,
        steps: undefined,
        preview: undefined,
        builtPreview: undefined,
        hasPriceMoved: false,
        refusal: undefined,
        unconfirmedBecause: undefined,
      })
      hawser.timers.set('swap:debounce', QUOTE_DEBOUNCE_MS, refresh)
    }),
  ]
  page?.addEventListener('visibilitychange', refresh)
  if (hawser.swap.getState().owner === activeOwner(hawser)?.caipAddress) refresh()
  else start()

  return () => {
    for (const stop of stops) stop()
    page?.removeEventListener('visibilitychange', refresh)
    hawser.timers.cancel('swap:debounce')
    hawser.timers.cancel('swap:poll')
    hawser.latest.abandon('swap:quote')
    // A request of the embedded wallet is shown on top of the swap.
    const isKept = hawser.modal.getState().open && hawser.router.getState().history.some(isSwapView)
    if (!isKept) resetSwap(hawser)
  }
}

function isOtherQuestion(state: SwapState, before: SwapState): boolean {
  return (
    state.owner !== undefined &&
    (state.sourceToken !== before.sourceToken ||
      state.toToken !== before.toToken ||
      // A wallet that does not answer counts as one without batches.
      Boolean(state.isAtomic) !== Boolean(before.isAtomic) ||
      signsForPermit2(state) !== signsForPermit2(before) ||
      sourceAmount(state) !== sourceAmount(before))
  )
}

/**
 * Starts a swap, which sells the native currency by default. Never throws: `availability` is `unreachable` while the gateway cannot be reached, also during
 * retries.
 */
export async function startSwap(hawser: Hawser, wanted: SwapArguments): Promise<void> {
  const owner = activeOwner(hawser)
  if (!owner) return
  const { isCurrent, signal } = hawser.latest.begin('swap:start')
  const { availability, owner: before } = hawser.swap.getState()
  const wasUnreachable = availability === 'unreachable' && before === owner.caipAddress
  hawser.swap.setState(
    { ...initialSwap, owner: owner.caipAddress, ...(wasUnreachable && { availability }) },
    true,
  )
  if (!isSwapNetwork(hawser.served.getState(), owner.network)) {
    hawser.swap.setState({ availability: 'unsupported' })
    return
  }
  void learnBatches(hawser, owner.network, isCurrent)
  try {
    const tokens = await readSwapTokens(hawser, owner.network, signal)
    if (!isCurrent()) return
    const sourceToken = findSwapToken(tokens, wanted.fromToken) ?? tokens.find(isNativeSwapToken) ?? tokens[0]
    const toToken = findSwapToken(tokens, wanted.toToken)
    hawser.swap.setState({
      availability: tokens.length > 0 ? 'available' : 'unsupported',
      tokens,
      sourceToken,
      toToken: toToken === sourceToken ? undefined : toToken,
      sourceTokenAmount: wanted.amount ?? '',
    })
    void loadSwapPrices(hawser)
    void loadSwapBalances(hawser)
  } catch (error) {
    if (!isCurrent()) return
    if (isRefusedFor(error, 'CHAIN_UNSUPPORTED')) {
      hawser.swap.setState({ availability: 'unsupported' })
      return
    }
    hawser.swap.setState({ availability: 'unreachable' })
    if (!wasUnreachable) hawser.report({ kind: 'swapUnavailable', ...toast('swapInitFailed') })
  }
}

async function learnBatches(hawser: Hawser, network: Network, isCurrent: () => boolean): Promise<void> {
  const isAtomic = await carriesBatches(hawser, network)
  if (isCurrent()) hawser.swap.setState({ isAtomic })
}

/**
 * Reports whether the wallet makes several calls atomically (EIP-5792). False if it does not answer in time.
 * Never throws.
 */
async function carriesBatches(hawser: Hawser, network: Network): Promise<boolean> {
  const session = hawser.sessions.get(network.chainNamespace)
  const address = activeOwner(hawser)?.address
  if (!session || !address) return false
  const carries = await queryWallet(hawser, network.chainNamespace, CAPABILITIES_DEADLINE_MS, (contracts) =>
    contracts.carriesBatches(session, address, network.caipNetworkId),
  )
  return carries === true
}
