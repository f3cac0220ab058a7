import { fetchIdentity } from '../names/identity.ts'
import { caches } from '../storage/items.ts'
import type { Hawser } from '../types/hawser.ts'

/** Counts a change of the account's identity, for everything that shows it, and forgets its name. */
export function countIdentityChange({ push, storage }: Hawser): void {
  storage.remove(caches.name)
  push.setState(({ identityChanges }) => ({ identityChanges: identityChanges + 1 }))
}

/** Requests the identity of the active account after each change. Returns a function that stops it. */
export function followIdentity(hawser: Hawser): () => void {
  return hawser.push.subscribe(({ identityChanges }, before) => {
    if (identityChanges !== before.identityChanges) void fetchIdentity(hawser, { bypassCache: true })
  })
}
