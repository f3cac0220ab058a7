import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type GuardState, guardSheet } from './guard.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Guards a sheet in a window of this size; `see` is what the browser reports about it. */
function guarding({ innerWidth = 360, innerHeight = 600 } = {}) {
  let report: (entries: unknown[]) => void = () => undefined
  class Observer {
    constructor(callback: (entries: unknown[]) => void) {
      report = callback
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', Observer)
  const window = Object.assign(new EventTarget(), { innerWidth, innerHeight })
  const states: GuardState[] = []
  const guard = guardSheet({
    sheet: {} as Element,
    window: window as unknown as Window,
    changed: (state) => states.push(state),
    now: () => Date.now(),
  })
  const see = (isVisible: boolean) => report([{ intersectionRatio: 1, isVisible }])
  const accepts = () => guard.accepts({ isTrusted: true } as MouseEvent)
  return { states, see, accepts, window }
}

describe('a sheet', () => {
  it('is armed once it was seen for half a second', () => {
    const { states, see, accepts } = guarding()
    see(true)
    vi.advanceTimersByTime(499)
    expect(accepts()).toBe(false)
    vi.advanceTimersByTime(1)
    expect(accepts()).toBe(true)
    expect(states).toEqual(['armed'])
  })

  it('does not say that something covers it while it appears', () => {
    const { states, see, accepts } = guarding()
    see(false)
    vi.advanceTimersByTime(200)
    see(true)
    vi.advanceTimersByTime(499)
    expect(accepts()).toBe(false)
    vi.advanceTimersByTime(1)
    expect(states).toEqual(['armed'])
  })

  it('says that something covers it when that lasts, and is disarmed at once', () => {
    const { states, see, accepts } = guarding()
    see(true)
    vi.advanceTimersByTime(500)
    see(false)
    expect(accepts()).toBe(false)
    vi.advanceTimersByTime(500)
    expect(states).toEqual(['armed', 'settling', 'covered'])
    see(true)
    vi.advanceTimersByTime(500)
    expect(states.slice(3)).toEqual(['settling', 'armed'])
  })

  it('that was covered from the start says so', () => {
    const { states, see } = guarding()
    see(false)
    vi.advanceTimersByTime(500)
    expect(states).toEqual(['covered'])
  })

  it('settles again when its window changes', () => {
    const { states, see, accepts, window } = guarding()
    see(true)
    vi.advanceTimersByTime(500)
    window.dispatchEvent(new Event('resize'))
    expect(accepts()).toBe(false)
    vi.advanceTimersByTime(500)
    expect(states).toEqual(['armed', 'settling', 'armed'])
  })

  it('is never armed in a window that is too small to read', () => {
    const { states, see } = guarding({ innerHeight: 319 })
    see(true)
    vi.advanceTimersByTime(1_000)
    expect(states).toEqual(['small'])
  })
})
