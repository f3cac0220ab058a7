import { contractsOf } from '../chain/adapters.ts'
import type { Contracts } from '../types/adapter.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace } from '../types/network.ts'

/**
 * Sends the wallet a request that opens no prompt. Never throws.
 *
 * @param ms timeout in milliseconds.
 * @returns undefined when the wallet fails or does not answer in time.
 */
export function queryWallet<T>(
  hawser: Hawser,
  namespace: Namespace,
  ms: number,
  ask: (contracts: Contracts) => Promise<T>,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const cancel = hawser.clock.after(ms, () => resolve(undefined))
    contractsOf(hawser, namespace)
      .then(ask)
      .then(resolve, () => resolve(undefined))
      .finally(cancel)
  })
}
