import type { HawserStorage } from '../storage/hawserStorage.ts'
import { items } from '../storage/items.ts'

/** The blocks that a sent extrinsic can be in. */
export interface Lifetime {
  /** The number of the newest finalized block that does not have it. */
  readonly after: number
  /** The number of the last block that can include it. */
  readonly until: number
}

/** Maximum number of extrinsics that are remembered. */
const MOST = 20

/**
 * Remembers sent extrinsics across page loads, because nodes find an extrinsic only by the number of its
 * block.
 */
export class Lifetimes {
  readonly #storage: HawserStorage

  constructor(storage: HawserStorage) {
    this.#storage = storage
  }

  get(hash: string): Lifetime | undefined {
    return this.#read().find(([each]) => each === hash)?.[1]
  }

  set(hash: string, lifetime: Lifetime): void {
    const others = this.#read().filter(([each]) => each !== hash)
    this.#storage.write(items.extrinsicLifetimes, [[hash, lifetime], ...others].slice(0, MOST))
  }

  #read(): readonly (readonly [string, Lifetime])[] {
    const kept = this.#storage.read<readonly (readonly [string, Lifetime])[]>(items.extrinsicLifetimes)
    return Array.isArray(kept) ? kept : []
  }
}
