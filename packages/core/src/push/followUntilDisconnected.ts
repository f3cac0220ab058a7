import type { Hawser } from '../types/hawser.ts'
import { followAccount } from './followAccount.ts'
import { followIdentity } from './identityChanges.ts'
import { takeChange } from './takeChange.ts'

/** Follows the active account, if there is one, until it is disconnected or `unmounted` is aborted. */
export function followUntilDisconnected(hawser: Hawser, unmounted: AbortSignal): void {
  if (unmounted.aborted || !hawser.chain.getState().activeCaipAddress) return
  const stops = [
    followIdentity(hawser),
    followAccount(hawser, takeChange),
    hawser.chain.subscribe(({ activeCaipAddress }) => {
      if (!activeCaipAddress) leave()
    }),
  ]
  unmounted.addEventListener('abort', leave)

  function leave(): void {
    unmounted.removeEventListener('abort', leave)
    for (const stop of stops) stop()
  }
}
