import { importModule } from '../importModule.ts'
import type { SentTransaction } from '../types/activity.ts'
import type { Hawser } from '../types/hawser.ts'
import { tellWebhooks } from './tellWebhooks.ts'

/** Loads the code that follows sent transactions, while the wallet is prompted. Never throws. */
export function loadFollowing(): Promise<typeof import('./followSent.ts') | undefined> {
  return importModule(() => import('./followSent.ts'), 'followSent').catch(() => undefined)
}

/**
 * Follows a transaction that the wallet sent, and names it to the gateway if the site has webhooks of it. If the code for that cannot be loaded, the transaction is followed after the
 * page is loaded again. Never throws.
 */
export async function follow(hawser: Hawser, sent: SentTransaction): Promise<void> {
  tellWebhooks(hawser, sent)
  const following = await loadFollowing()
  await following?.followSent(hawser, sent)
}
