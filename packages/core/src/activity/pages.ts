import type { ActivityPage, ActivityState, ActivityTransaction, SentTransaction } from '../types/activity.ts'

/**
 * Replaces the first page. Older pages stay if they continue it without a gap; rows that a reorg removed are dropped.
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

/** Appends an older page without repeating rows. */
export function withOlderPage(state: ActivityState, page: ActivityPage): ActivityState {
  const known = new Set(state.transactions.map(({ id }) => id))
  return settled({
    ...read(state),
    transactions: [...state.transactions, ...page.transactions.filter(({ id }) => !known.has(id))],
    next: page.next,
    coverage: page.coverage ?? state.coverage,
  })
}

/** Returns sent transactions that are not in the history yet, followed by the history. */
export function shownActivity({ owner, sent, transactions }: ActivityState): readonly ActivityTransaction[] {
  // A batch that is in no block has no hash to look up yet.
  const waiting = sent
    .filter((each) => each.owner === owner && each.transaction.metadata.hash !== '')
    .map(({ transaction }) => transaction)
  return waiting.length === 0 ? transactions : [...waiting, ...transactions]
}

/** Reports whether a transaction moved nothing but what looks like spam. */
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

/** Removes sent transactions that the history lists. */
function settled(state: ActivityState): ActivityState {
  const held = new Set(state.transactions.map(({ metadata }) => metadata.hash.toLowerCase()))
  const isHeld = ({ owner, transaction }: SentTransaction) =>
    owner === state.owner && held.has(transaction.metadata.hash.toLowerCase())
  return state.sent.some(isHeld) ? { ...state, sent: state.sent.filter((each) => !isHeld(each)) } : state
}
