import type { ActivityPage, ActivityState, ActivityTransaction, SentTransaction } from '../types/activity.ts'

/**
 * Puts a newly read first page in the place of the old one. Older pages stay when they follow on without a gap; a row
 * that a reorganisation took away is gone.
 */
export function withFirstPage(state: ActivityState, page: ActivityPage): ActivityState {
  const { last, older } = olderThan(page.transactions, state.transactions)
  const keepsOlder = last !== undefined && older.length > 0 && Boolean(page.next)
  return settled({
    ...read(state),
    transactions: keepsOlder ? [...page.transactions, ...older] : page.transactions,
    next: keepsOlder ? state.next : page.next,
    coverage: page.coverage,
  })
}

/** Adds an older page; a row that is already there is not repeated. */
export function withOlderPage(state: ActivityState, page: ActivityPage): ActivityState {
  const known = new Set(state.transactions.map(({ id }) => id))
  return settled({
    ...read(state),
    transactions: [...state.transactions, ...page.transactions.filter(({ id }) => !known.has(id))],
    next: page.next,
    coverage: page.coverage ?? state.coverage,
  })
}

/** What to show: sent transactions that the history does not hold yet, then the history. */
export function shownActivity({ owner, sent, transactions }: ActivityState): readonly ActivityTransaction[] {
  // A batch that is in no block has nothing to look up yet.
  const waiting = sent
    .filter((each) => each.owner === owner && each.transaction.metadata.hash !== '')
    .map(({ transaction }) => transaction)
  return waiting.length === 0 ? transactions : [...waiting, ...transactions]
}

/** True when nothing moved but what looks like spam. */
export function isSpam({ spam, transfers }: ActivityTransaction): boolean {
  if (spam) return true
  return transfers.length > 0 && transfers.every(({ nftInfo }) => nftInfo?.flags?.isSpam === true)
}

function read(state: ActivityState): ActivityState {
  return { ...state, isLoaded: true, reading: undefined, hasFailed: false }
}

function olderThan(page: readonly ActivityTransaction[], known: readonly ActivityTransaction[]) {
  const last = page.at(-1)
  const end = known.findIndex(({ id }) => id === last?.id)
  const shown = new Set(page.map(({ id }) => id))
  return { last, older: end < 0 ? [] : known.slice(end + 1).filter(({ id }) => !shown.has(id)) }
}

/** A sent transaction that the history holds is the history's from now on. */
function settled(state: ActivityState): ActivityState {
  const held = new Set(state.transactions.map(({ metadata }) => metadata.hash.toLowerCase()))
  const isHeld = ({ owner, transaction }: SentTransaction) =>
    owner === state.owner && held.has(transaction.metadata.hash.toLowerCase())
  return state.sent.some(isHeld) ? { ...state, sent: state.sent.filter((each) => !isHeld(each)) } : state
}
