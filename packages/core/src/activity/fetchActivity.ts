import { type AccountOwner, activeOwner } from '../account/owner.ts'
import { toasts } from '../errors/catalogue.ts'
import { endFailure, showToast } from '../toast/toast.ts'
import type { ActivityPage, ActivityState } from '../types/activity.ts'
import type { Hawser } from '../types/hawser.ts'
import { initialActivity } from './initialActivity.ts'
import { withFirstPage, withOlderPage } from './pages.ts'

/** Reads the newest page of the history of the account in use. Never throws: a failure is told in a toast, once. */
export async function fetchActivity(hawser: Hawser): Promise<void> {
  const owner = activeOwner(hawser)
  takeOwner(hawser, owner)
  if (!owner) return
  hawser.activity.setState({ reading: 'newest' })
  await read(hawser, owner, undefined, withFirstPage)
}

/** Reads the next older page; nothing while a page is being read, or when there is none. Never throws. */
export async function fetchOlderActivity(hawser: Hawser): Promise<void> {
  const owner = activeOwner(hawser)
  const { next, reading } = takeOwner(hawser, owner)
  if (!owner || !next || reading) return
  hawser.activity.setState({ reading: 'older' })
  await read(hawser, owner, next, withOlderPage)
}

/** Another account or network begins with nothing. */
function takeOwner(hawser: Hawser, owner: AccountOwner | undefined): ActivityState {
  hawser.activity.setState((state) =>
    state.owner === owner?.caipAddress
      ? state
      : { ...initialActivity, owner: owner?.caipAddress, sent: state.sent },
  )
  return hawser.activity.getState()
}

async function read(
  hawser: Hawser,
  { address, network }: AccountOwner,
  cursor: string | undefined,
  put: (state: ActivityState, page: ActivityPage) => ActivityState,
): Promise<void> {
  const { isCurrent, signal } = hawser.latest.begin('activity')
  const chainId = network.caipNetworkId
  try {
    const isServed = await hawser.servedChains.has(chainId)
    const page = isServed
      ? await hawser.client.history({
          address,
          chainId,
          includeSpam: true,
          signal,
          ...(cursor && { cursor }),
        })
      : { data: [] }
    if (!isCurrent()) return
    hawser.activity.setState((state) => put(state, page))
    endFailure(hawser, toasts.transactionsUnavailable)
  } catch {
    if (isCurrent()) reportFailure(hawser)
  }
}

/** One outage is told once, however often the history is asked for while it lasts. */
function reportFailure(hawser: Hawser): void {
  const { hasFailed } = hawser.activity.getState()
  hawser.activity.setState({ reading: undefined, hasFailed: true })
  if (!hasFailed) showToast(hawser, { message: toasts.transactionsUnavailable, variant: 'error' })
}
