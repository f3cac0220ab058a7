import { describe, expect, it } from 'vitest'
import { createExclusive } from './exclusive.ts'

const denied = () => Promise.reject(new DOMException('not allowed in this context', 'SecurityError'))

/** Locks as a browser has them, for every page that is given these. */
function sharedLocks(): Pick<LockManager, 'request'> {
  let last: Promise<unknown> = Promise.resolve()
  const request = (_name: string, granted: () => Promise<unknown>) => {
    const result = last.then(granted)
    last = result.catch(() => undefined)
    return result
  }
  return { request: request as LockManager['request'] }
}

/** Runs two actions at once; returns what happened, in order. */
async function race(one: ReturnType<typeof createExclusive>, other: ReturnType<typeof createExclusive>) {
  const events: string[] = []
  const act = (name: string) => async () => {
    events.push(`${name} begins`)
    await new Promise((resolve) => setTimeout(resolve))
    events.push(`${name} ends`)
  }
  await Promise.all([one(act('one')), other(act('other'))])
  return events
}

const inTurn = ['one begins', 'one ends', 'other begins', 'other ends']

describe('actions of one page', () => {
  it.each([
    ['locks', sharedLocks()],
    ['no locks', undefined],
    ['locks that it may not use', { request: denied as LockManager['request'] }],
  ])('take turns in a browser with %s', async (_, locks) => {
    const exclusively = createExclusive('wallet', locks)
    expect(await race(exclusively, exclusively)).toEqual(inTurn)
  })
})

describe('actions of two pages', () => {
  it('take turns where the browser does not list its locks', async () => {
    const locks = { ...sharedLocks(), query: denied }
    expect(await race(createExclusive('wallet', locks), createExclusive('wallet', locks))).toEqual(inTurn)
  })
})

describe('an action that fails', () => {
  it.each([
    ['locks', sharedLocks()],
    ['no locks', undefined],
  ])('runs once in a browser with %s, and the next one runs', async (_, locks) => {
    const exclusively = createExclusive('wallet', locks)
    let runs = 0
    const failing = exclusively(async () => {
      runs += 1
      throw new Error('the gateway does not answer')
    })
    await expect(failing).rejects.toThrow('the gateway does not answer')
    expect(await exclusively(async () => runs)).toBe(1)
  })
})
