import { type MessageData, messageData } from '@hawser/client'
import type { Transaction } from '@hawser/client/activity'
import { type AccountOwner, activeOwner } from '../account/owner.ts'
import { adapterOf } from '../chain/adapters.ts'
import { toast } from '../errors/messages.ts'
import { activityClient } from '../gateway/clients.ts'
import { isServed } from '../gateway/servedFeatures.ts'
import { ACTIVITY_REFRESH_MS } from '../limits.ts'
import { refreshOnChange } from '../push/refreshOnChange.ts'
import type { ActivityPage, ActivityState, ActivityTransaction } from '../types/activity.ts'
import type { Hawser } from '../types/hawser.ts'
import type { CaipNetworkId, Namespace } from '../types/network.ts'
import { initialActivity } from './initialActivity.ts'
import { withFirstPage, withOlderPage } from './pages.ts'

/** Reports whether the history of a namespace's accounts can be read. */
export function hasHistory(namespace: Namespace): boolean {
  return namespace !== 'polkadot'
}

/** Reads the newest page of the active account's history. Never throws: a failure is reported once. */
export function fetchActivity(hawser: Hawser): Promise<void> {
  return readNewest(hawser, false)
}

/** Reads the newest page as well, for a visitor who did not ask for the history: a failure is not reported. Never throws. */
export function fetchActivityQuietly(hawser: Hawser): Promise<void> {
  return readNewest(hawser, true)
}

async function readNewest(hawser: Hawser, isQuiet: boolean): Promise<void> {
  const owner = activeOwner(hawser)
  takeOwner(hawser, owner)
  if (!owner) return
  hawser.activity.setState({ reading: 'newest' })
  await read(hawser, owner, { put: withFirstPage, isQuiet })
}

/** Reads the next older page; nothing while a page is being read, or when there is none. Never throws. */
export async function fetchOlderActivity(hawser: Hawser): Promise<void> {
  const owner = activeOwner(hawser)
  const { next, reading } = takeOwner(hawser, owner)
  if (!owner || !next || reading) return
  hawser.events.emit({ event: 'LOAD_MORE_TRANSACTIONS' })
  hawser.activity.setState({ reading: 'older' })
  await read(hawser, owner, { cursor: next, put: withOlderPage })
}

/** Clears the history when the account or network changed. */
function takeOwner(hawser: Hawser, owner: AccountOwner | undefined): ActivityState {
  hawser.activity.setState((state) =>
    state.owner === owner?.caipAddress
      ? state
      : { ...initialActivity, owner: owner?.caipAddress, sent: state.sent },
  )
  return hawser.activity.getState()
}

interface PageRequest {
  /** Of an older page; undefined for the newest. */
  readonly cursor?: string
  readonly put: (state: ActivityState, page: ActivityPage) => ActivityState
  readonly isQuiet?: boolean
}

async function read(
  hawser: Hawser,
  { address, network }: AccountOwner,
  { cursor, put, isQuiet = false }: PageRequest,
): Promise<void> {
  const { isCurrent, signal } = hawser.latest.begin('activity')
  const chainId = network.caipNetworkId
  try {
    const { history } = await adapterOf(hawser, network.chainNamespace)
    const page = history
      ? await history(network, address, cursor, signal)
      : await readPage(hawser, { address, chainId, cursor: cursor ?? '' }, signal)
    if (!isCurrent()) return
    hawser.activity.setState((state) => put(state, page))
    hawser.report({ kind: 'failureEnded', ...toast('transactionsUnavailable') })
  } catch {
    if (isCurrent()) noteFailure(hawser, isQuiet)
  }
}

const noPage: ActivityPage = { transactions: [], next: undefined, coverage: undefined }

async function readPage(
  hawser: Hawser,
  request: { address: string; chainId: string; cursor: string },
  signal: AbortSignal,
): Promise<ActivityPage> {
  if (!(await isServed(hawser, request.chainId as CaipNetworkId))) return noPage
  const activity = await activityClient(hawser)
  const { data, next, coverage } = await activity.getHistory({ ...request, includeSpam: true }, { signal })
  return {
    transactions: data.flatMap((row) => readTransaction(messageData(row))),
    next: next || undefined,
    coverage: messageData(coverage),
  }
}

/** Drops rows without metadata. */
function readTransaction({
  metadata,
  transfers,
  ...row
}: MessageData<Transaction>): readonly ActivityTransaction[] {
  if (!metadata) return []
  const read = transfers.map((each) => ({ ...each, quantity: each.quantity ?? { numeric: '0' } }))
  return [{ ...row, metadata, transfers: read }]
}

/** Reports an outage once, however many requests fail while it lasts. */
function noteFailure(hawser: Hawser, isQuiet: boolean): void {
  const { hasFailed } = hawser.activity.getState()
  hawser.activity.setState({ reading: undefined, hasFailed: true })
  if (hasFailed || isQuiet) return
  hawser.events.emit({ event: 'ERROR_FETCH_TRANSACTIONS' })
  hawser.report({ kind: 'historyFailed', ...toast('transactionsUnavailable') })
}

/** Keeps the newest page of the history fresh, see `refreshOnChange`; every 10 seconds while nothing is pushed. */
export function watchActivity(hawser: Hawser): () => void {
  return refreshOnChange(hawser, {
    every: ACTIVITY_REFRESH_MS,
    read: () => fetchActivity(hawser),
    isIncomplete: () => {
      const { coverage, hasFailed } = hawser.activity.getState()
      return coverage?.backfilling === true || hasFailed
    },
  })
}
