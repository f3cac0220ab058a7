import { importModule } from '../importModule.ts'
import { fetchIdentity } from '../names/identity.ts'
import { checkSignIn } from '../signIn/signIn.ts'
import { items } from '../storage/items.ts'
import type { Hawser } from '../types/hawser.ts'
import { fetchNativeBalance } from './nativeBalance.ts'

/**
 * Reads the data of the active account after it changed, and resumes what was pending when the page was last
 * closed.
 */
export function readAccount(hawser: Hawser): void {
  if (hawser.siwx) void checkSignIn(hawser)
  if (!hawser.chain.getState().activeCaipAddress) return
  void fetchNativeBalance(hawser)
  void showIdentity(hawser)
  void followPurchases(hawser)
  void followTransactions(hawser)
}

async function showIdentity(hawser: Hawser): Promise<void> {
  try {
    await fetchIdentity(hawser)
  } catch {
    // The account is shown by its address.
  }
}

async function followPurchases(hawser: Hawser): Promise<void> {
  if (!hawser.storage.read(items.openOrders)) return
  try {
    const { resumeOrders } = await importModule(() => import('../onramp/followOrders.ts'), 'resumeOrders')
    await resumeOrders(hawser)
  } catch {
    // The list of orders shows it.
  }
}

async function followTransactions(hawser: Hawser): Promise<void> {
  if (!hawser.storage.read(items.sentTransactions)) return
  try {
    const { resumeSent } = await importModule(() => import('../activity/followSent.ts'), 'resumeSent')
    resumeSent(hawser)
  } catch {
    // The account's history shows the outcome.
  }
}
