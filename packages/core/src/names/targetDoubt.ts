import { activeOwner } from '../account/owner.ts'
import { activeCounterparties, type Doubt, doubtAbout } from '../activity/counterparties.ts'
import { fetchActivityQuietly, hasHistory } from '../activity/fetchActivity.ts'
import { readContacts } from '../contacts/storedContacts.ts'
import { RECEIVER_HISTORY_MS } from '../limits.ts'
import type { Hawser } from '../types/hawser.ts'
import type { NameDraft } from '../types/names.ts'

/** Returns why the target of a draft has to be chosen; undefined without a doubt, and once it is chosen. */
export function targetDoubt(hawser: Hawser, draft: NameDraft): Doubt | undefined {
  if (!('target' in draft) || draft.target.status !== 'valid' || draft.target.isChosen) return undefined
  return doubtAbout(draft.target.address, activeCounterparties(hawser))
}

/** Reads what targets are compared with: the contacts, and the newest page of the history in three seconds at most. Never throws. */
export async function readCompared(hawser: Hawser): Promise<void> {
  readContacts(hawser)
  const { owner, isLoaded } = hawser.activity.getState()
  const isRead = isLoaded && owner === activeOwner(hawser)?.caipAddress
  if (isRead || !hasHistory(hawser.chain.getState().activeChain)) return
  await new Promise<void>((done) => {
    const cancel = hawser.clock.after(RECEIVER_HISTORY_MS, done)
    void fetchActivityQuietly(hawser).then(cancel).then(done)
  })
}
