import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type GuardState, guardSheet } from './guard.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A target of events that a test makes, as the browser would: those of a script are not trusted. */
function createTarget() {
  const listeners = new Map<string, Set<(event: object) => void>>()
  return {
    addEventListener(type: string, listener: (event: object) => void) {
      listeners.set(type, (listeners.get(type) ?? new Set()).add(listener))
    },
    removeEventListener: (type: string, listener: (event: object) => void) =>
      listeners.get(type)?.delete(listener),
    emit(type: string, fields: object = {}) {
      for (const listener of listeners.get(type) ?? []) listener({ type, ...fields })
    },
  }
}

/** Guards a sheet in a window of this size; `see` is what the browser reports about it. */
function guarding({
  innerWidth = 360,
  innerHeight = 600,
  content,
}: {
  innerWidth?: number
  innerHeight?: number
  content?: { clientHeight: number; scrollHeight: number }
} = {}) {
  let report: (entries: unknown[]) => void = () => undefined
  class Observer {
    constructor(callback: (entries: unknown[]) => void) {
      report = callback
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', Observer)
  const document = Object.assign(createTarget(), { hasFocus: () => isFocused })
  const window = Object.assign(createTarget(), { innerWidth, innerHeight, document })
  let isFocused = true
  const states: GuardState[] = []
  const guard = guardSheet({
    sheet: {} as Element,
    content: content as Element | undefined,
    window: window as unknown as Window,
    changed: (state) => states.push(state),
    now: () => Date.now(),
  })
  const see = (isVisible: boolean) => report([{ intersectionRatio: 1, isVisible }])
  /** A click by the keyboard. */
  const accepts = () => guard.accepts({ isTrusted: true, detail: 0 } as MouseEvent)
  const focus = (focused: boolean) => {
    isFocused = focused
    window.emit(focused ? 'focus' : 'blur')
  }
  /** An event of the pointer, at this place of a document that is not moved. */
  const pointer = (type: string, at = 100, fields: object = {}) =>
    window.emit(type, {
      isTrusted: true,
      screenX: at,
      screenY: 0,
      clientX: at,
      clientY: 0,
      pointerType: 'mouse',
      relatedTarget: {},
      ...fields,
    })
  /** Presses and releases the pointer; reports whether the click counts. */
  const click = ({ detail = 1, ...fields }: { detail?: number; pointerType?: string } = {}) => {
    pointer('pointerdown', 101, fields)
    return guard.accepts({ isTrusted: true, detail } as MouseEvent)
  }
  return { states, see, accepts, window, document, focus, pointer, click, guard }
}

/** Guards a sheet that has been seen, with a pointer that moved in it. */
function armed() {
  const guarded = guarding()
  guarded.see(true)
  guarded.pointer('pointerover', 99, { relatedTarget: null })
  vi.advanceTimersByTime(500)
  guarded.pointer('pointermove', 99)
  guarded.pointer('pointermove', 100)
  return guarded
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
    window.emit('resize')
    expect(accepts()).toBe(false)
    vi.advanceTimersByTime(500)
    expect(states).toEqual(['armed', 'settling', 'armed'])
  })

  it('is not armed while another window has the focus', () => {
    const { see, accepts, focus } = guarding()
    see(true)
    focus(false)
    vi.advanceTimersByTime(5_000)
    expect(accepts()).toBe(false)
    focus(true)
    vi.advanceTimersByTime(499)
    expect(accepts()).toBe(false)
    vi.advanceTimersByTime(1)
    expect(accepts()).toBe(true)
  })

  it.each([
    [{ clientHeight: 20, scrollHeight: 900 }, 'small'],
    [{ clientHeight: 200, scrollHeight: 900 }, 'armed'],
    [{ clientHeight: 60, scrollHeight: 60 }, 'armed'],
  ])('is armed only while enough of what scrolls is shown: %j', (content, expected) => {
    const { see, states } = guarding({ content })
    see(true)
    vi.advanceTimersByTime(600)
    expect(states.at(-1)).toBe(expected)
  })

  it('is never armed in a window that is too small to read', () => {
    const { states, see } = guarding({ innerHeight: 319 })
    see(true)
    vi.advanceTimersByTime(1_000)
    expect(states).toEqual(['small'])
  })
})

describe('a click', () => {
  it('counts when the pointer moved and was pressed in the document', () => {
    expect(armed().click()).toBe(true)
  })

  it('that is the second of two does not count', () => {
    const { click } = armed()
    expect(click({ detail: 2 })).toBe(false)
    expect(click({ detail: 3 })).toBe(false)
  })

  it('whose press was before the sheet was armed does not count', () => {
    const { pointer, guard, click } = armed()
    guard.restart()
    pointer('pointermove', 99)
    pointer('pointermove', 100)
    pointer('pointerdown')
    vi.advanceTimersByTime(500)
    expect(guard.accepts({ isTrusted: true, detail: 1 } as MouseEvent)).toBe(false)
    expect(click()).toBe(true)
  })

  it('whose press was in another window does not count', () => {
    const { guard } = armed()
    expect(guard.accepts({ isTrusted: true, detail: 1 } as MouseEvent)).toBe(false)
  })

  it.each([
    ['the window gets the focus', ({ window }: ReturnType<typeof armed>) => window.emit('focus')],
    ['the window loses the focus', ({ window }: ReturnType<typeof armed>) => window.emit('blur')],
    ['the page is shown again', ({ window }: ReturnType<typeof armed>) => window.emit('pageshow')],
    ['the window is resized', ({ window }: ReturnType<typeof armed>) => window.emit('resize')],
    ['the tab is shown', ({ document }: ReturnType<typeof armed>) => document.emit('visibilitychange')],
    [
      'the pointer comes in',
      ({ pointer }: ReturnType<typeof armed>) => pointer('pointerover', 100, { relatedTarget: null }),
    ],
    ['what is shown changes', ({ guard }: ReturnType<typeof armed>) => guard.restart()],
  ])('after %s counts only after half a second, and once the pointer has moved', (_, change) => {
    const guarded = armed()
    change(guarded)
    expect(guarded.click()).toBe(false)
    vi.advanceTimersByTime(500)
    // A window that closes below a still pointer leaves it where it was.
    expect(guarded.click()).toBe(false)
    guarded.pointer('pointermove', 150)
    guarded.pointer('pointermove', 151)
    expect(guarded.click()).toBe(true)
  })

  it('in a document that moves does not count', () => {
    const { pointer, click } = armed()
    pointer('pointermove', 100, { screenX: 250 })
    expect(click()).toBe(false)
  })

  it('counts after a single move from where the pointer was before', () => {
    const { pointer, guard } = armed()
    guard.restart()
    vi.advanceTimersByTime(500)
    pointer('pointermove', 150)
    pointer('pointerdown', 150)
    expect(guard.accepts({ isTrusted: true, detail: 1 } as MouseEvent)).toBe(true)
  })

  it('does not count after the move that the browser reports of a pointer that comes in', () => {
    const { pointer, guard } = armed()
    pointer('pointerover', 150, { relatedTarget: null })
    pointer('pointermove', 150)
    vi.advanceTimersByTime(500)
    pointer('pointerdown', 150)
    expect(guard.accepts({ isTrusted: true, detail: 1 } as MouseEvent)).toBe(false)
  })

  it('of a touch counts without a move before it', () => {
    const { see, pointer, click } = guarding()
    see(true)
    vi.advanceTimersByTime(500)
    pointer('pointerover', 101, { relatedTarget: null, pointerType: 'touch' })
    expect(click({ pointerType: 'touch' })).toBe(true)
  })

  it('of a script does not count', () => {
    const { guard } = armed()
    expect(guard.accepts({ isTrusted: false, detail: 0 } as MouseEvent)).toBe(false)
  })

  it('of a key that is held down does not count', () => {
    const { accepts, window } = armed()
    window.emit('keydown', { repeat: true })
    expect(accepts()).toBe(false)
  })
})
