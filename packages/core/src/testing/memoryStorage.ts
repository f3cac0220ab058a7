import type { KeyValueStorage } from '../types/environment.ts'

/** Web Storage that two kits can share, as two visits to one site do. */
export function createMemoryStorage(): KeyValueStorage & { readonly values: Map<string, string> } {
  const values = new Map<string, string>()
  return {
    values,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  }
}
