import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createFakeClock } from '../testing/fakeClock.ts'
import { createMemoryStorage } from '../testing/memoryStorage.ts'
import type { KeyValueStorage } from '../types/environment.ts'
import { createHawserStorage } from './hawserStorage.ts'

const clock = createFakeClock()

describe('what is kept', () => {
  it('has a versioned key of its own per item', () => {
    const backing = createMemoryStorage()
    createHawserStorage(clock, backing).write('active_namespace', 'eip155')
    expect([...backing.values]).toEqual([['@hawser/v1/active_namespace', '"eip155"']])
  })

  it('is read back by the next visit, and gone once removed', () => {
    const backing = createMemoryStorage()
    createHawserStorage(clock, backing).write('recent_wallets', [{ id: 'a' }])
    const next = createHawserStorage(clock, backing)
    expect(next.read('recent_wallets')).toEqual([{ id: 'a' }])
    next.remove('recent_wallets')
    expect(next.read('recent_wallets')).toBeUndefined()
  })

  it('is undefined when the stored text is invalid', () => {
    const backing = createMemoryStorage()
    const warn = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    backing.setItem('@hawser/v1/recent_wallets', '{')
    backing.setItem('@hawser/v1/balance_cache', '"text"')
    const storage = createHawserStorage(clock, backing)
    expect(storage.read('recent_wallets')).toBeUndefined()
    expect(storage.readCached('balance_cache', 'a', 1_000)).toBeUndefined()
    expect(warn).toHaveBeenCalledOnce()
  })
})

describe('a storage that is blocked', () => {
  const warn = vi.spyOn(console, 'error')
  beforeEach(() => {
    warn.mockReset().mockImplementation(() => undefined)
  })

  const blocked: KeyValueStorage = {
    getItem: () => {
      throw new Error('SecurityError')
    },
    setItem: () => {
      throw new Error('QuotaExceededError')
    },
    removeItem: () => {
      throw new Error('SecurityError')
    },
  }

  it('becomes memory for this page', () => {
    const storage = createHawserStorage(clock, blocked)
    storage.write('active_namespace', 'eip155')
    expect(storage.read('active_namespace')).toBe('eip155')
    storage.remove('active_namespace')
    expect(storage.read('active_namespace')).toBeUndefined()
  })

  it('is logged, once for each kind of access', () => {
    const storage = createHawserStorage(clock, blocked)
    for (const item of ['active_namespace', 'connection_status']) {
      storage.write(item, 'a')
      storage.read('absent')
      storage.remove(item)
    }
    expect(warn.mock.calls.map(([text]) => text)).toEqual([
      '[hawser] storage could not be written',
      '[hawser] storage could not be read',
      '[hawser] storage could not be cleared',
    ])
  })

  it('is absent on a server', () => {
    const storage = createHawserStorage(clock)
    storage.write('active_namespace', 'eip155')
    expect(storage.read('active_namespace')).toBe('eip155')
  })
})

describe('a cache', () => {
  it('gives a value until it is as old as allowed', async () => {
    const own = createFakeClock()
    const storage = createHawserStorage(own, createMemoryStorage())
    storage.writeCached('balance_cache', 'alice', '1')
    storage.writeCached('balance_cache', 'bob', '2')
    await own.advance(29_999)
    expect(storage.readCached('balance_cache', 'alice', 30_000)).toBe('1')
    expect(storage.readCached('balance_cache', 'bob', 30_000)).toBe('2')
    await own.advance(1)
    expect(storage.readCached('balance_cache', 'alice', 30_000)).toBeUndefined()
  })

  it('does not grow for ever', async () => {
    const own = createFakeClock()
    const backing = createMemoryStorage()
    const storage = createHawserStorage(own, backing)
    storage.writeCached('name_cache', 'alice', 'a')
    await own.advance(300_000)
    storage.writeCached('name_cache', 'bob', 'b')
    expect(Object.keys(JSON.parse(backing.getItem('@hawser/v1/name_cache') ?? ''))).toEqual(['bob'])
  })

  it.each(['{"a":null}', '{"a":7}', '{"a":{"at":"x","value":1}}', '[null]', 'null'])(
    'is empty and can be written when %s is stored',
    (text) => {
      const backing = createMemoryStorage()
      backing.setItem('@hawser/v1/name_cache', text)
      const storage = createHawserStorage(clock, backing)
      expect(storage.readCached('name_cache', 'a', 1_000)).toBeUndefined()
      storage.writeCached('name_cache', 'bob', 'b')
      expect(storage.readCached('name_cache', 'bob', 1_000)).toBe('b')
    },
  )

  it('does not keep what was written by a clock that was ahead', () => {
    const backing = createMemoryStorage()
    const entry = { at: clock.now() + 3_600_000, value: 'old' }
    backing.setItem('@hawser/v1/name_cache', JSON.stringify({ alice: entry }))
    expect(createHawserStorage(clock, backing).readCached('name_cache', 'alice', 300_000)).toBeUndefined()
  })
})
