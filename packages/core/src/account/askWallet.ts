import { adapterOf } from '../chain/adapters.ts'
import type { Contracts } from '../types/adapter.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace } from '../types/network.ts'

/**
 * Asks a wallet something that needs no prompt, while the visitor waits. Never throws.
 *
 * @param ms how long it may take.
 * @returns undefined when the wallet fails or is silent for that long.
 */
export function askWallet<T>(
  hawser: Hawser,
  namespace: Namespace,
  ms: number,
  ask: (contracts: Contracts) => Promise<T>,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const cancel = hawser.clock.after(ms, () => resolve(undefined))
    adapterOf(hawser, namespace)
      .contracts()
      .then(ask)
      .then(resolve, () => resolve(undefined))
      .finally(cancel)
  })
}
