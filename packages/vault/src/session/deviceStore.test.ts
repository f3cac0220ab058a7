import { afterEach, describe, expect, it, vi } from 'vitest'
import { openDeviceStore } from './deviceStore.ts'

const lost = (name: string) => new DOMException('Connection to Indexed Database server lost', name)

type Loss = (action: 'transaction' | 'request' | 'commit') => DOMException | undefined

/**
 * Creates one database with one store, whose connections fail as `loss` says. It has only what `DeviceStore`
 * uses.
 */
function fakeIndexedDb(loss: (connection: number) => Loss) {
  const values = new Map<string, unknown>()
  let connections = 0

  function request<T>(read: () => T, failure?: DOMException) {
    const pending = { result: undefined as T | undefined, error: failure } as Record<string, unknown>
    queueMicrotask(() => {
      if (!failure) pending.result = read()
      const listener = pending[failure ? 'onerror' : 'onsuccess'] as () => void
      listener()
    })
    return pending
  }

  function connect() {
    connections += 1
    const failureOf = loss(connections)
    return {
      transaction() {
        const failure = failureOf('transaction')
        if (failure) throw failure
        const transaction: Record<string, unknown> = { error: failureOf('commit') }
        const store = (use: () => unknown) => {
          const aborted = failureOf('commit')
          setTimeout(() => (transaction[aborted ? 'onabort' : 'oncomplete'] as () => void)())
          return request(aborted ? () => undefined : use, failureOf('request'))
        }
        transaction.objectStore = () => ({
          get: (key: string) => store(() => values.get(key)),
          put: (value: unknown, key: string) => store(() => values.set(key, value)),
          delete: (key: string) => store(() => values.delete(key)),
        })
        return transaction
      },
    }
  }
  return { open: () => request(connect) }
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the store of a device', () => {
  it('is in memory where the browser denies a database', async () => {
    vi.stubGlobal('indexedDB', {
      open: () => {
        throw lost('SecurityError')
      },
    })
    const store = await openDeviceStore('project')
    expect(store.persistent).toBe(false)
    await store.put('key', 1)
    expect(await store.get('key')).toBe(1)
  })

  it.each([
    ['begins no transaction', 'transaction', 'InvalidStateError'],
    ['answers no request', 'request', 'UnknownError'],
    ['commits nothing', 'commit', 'AbortError'],
  ] as const)('goes on with another connection when the first one %s', async (_, action, name) => {
    let isLost = false
    const first: Loss = (tried) => (isLost && tried === action ? lost(name) : undefined)
    vi.stubGlobal(
      'indexedDB',
      fakeIndexedDb((connection) => (connection === 1 ? first : () => undefined)),
    )
    const store = await openDeviceStore('project')
    await store.put('key', 'before')
    isLost = true
    expect(await store.get('key')).toBe('before')
    await Promise.all([store.put('key', 'after'), store.put('other', 1)])
    expect([await store.get('key'), await store.get('other')]).toEqual(['after', 1])
    await store.delete('key')
    expect(await store.get('key')).toBeUndefined()
  })

  it('reports a failure that another connection does not mend', async () => {
    vi.stubGlobal(
      'indexedDB',
      fakeIndexedDb(() => (action) => (action === 'request' ? lost('QuotaExceededError') : undefined)),
    )
    const store = await openDeviceStore('project')
    await expect(store.put('key', 1)).rejects.toThrow(expect.objectContaining({ name: 'QuotaExceededError' }))
  })
})
