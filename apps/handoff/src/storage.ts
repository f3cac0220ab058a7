import type { KeyValueStorage } from '@hawser/walletconnect'

/** Storage of the wallet page. */
export interface PageStorage extends KeyValueStorage {
  /** Whether what is stored is still there when the page is opened again. */
  readonly isLasting: boolean
}

const PREFIX = 'hawser-handoff/'

/**
 * Creates the storage. Where the browser denies it, or it is full, values are kept while the page is open.
 *
 * @param open returns the storage of the browser, or throws.
 */
export function createStorage(open: () => Storage): PageStorage {
  const kept = new Map<string, string>()
  const stored = tryTo(open)
  const isLasting = tryTo(() => {
    stored?.setItem(`${PREFIX}test`, '1')
    stored?.removeItem(`${PREFIX}test`)
    return stored !== undefined
  })

  return {
    isLasting: isLasting === true,
    getItem: (key) => kept.get(key) ?? tryTo(() => stored?.getItem(PREFIX + key)) ?? null,
    setItem(key, value) {
      kept.delete(key)
      const isStored = tryTo(() => {
        stored?.setItem(PREFIX + key, value)
        return stored !== undefined
      })
      if (!isStored) kept.set(key, value)
    },
    removeItem(key) {
      kept.delete(key)
      tryTo(() => stored?.removeItem(PREFIX + key))
    },
  }
}

function tryTo<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}
