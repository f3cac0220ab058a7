/** Why a button can or cannot be pressed. */
export type GuardState =
  /** The button may be pressed. */
  | 'armed'
  /** It was shown, covered or moved too recently for a person to have read it, or for a notice. */
  | 'settling'
  /** Something covers it, fades it, scales it or cuts it off. */
  | 'covered'
  /** The frame is too small to read. */
  | 'small'

interface GuardOptions {
  /** The sheet whose contents the user must see whole. */
  readonly sheet: Element
  readonly window: Window
  readonly changed: (state: GuardState) => void
  /** Monotonic milliseconds. */
  readonly now?: () => number
}

/** A guard against clicks that a page steals: by covering, fading, scaling or moving the frame. */
export interface Guard {
  /** Reports whether a click is the user's own choice. Only events of the browser count, not those of a script. */
  accepts(event: MouseEvent): boolean
  stop(): void
}

/** How long the sheet must have been seen before it is armed, and unseen before that is said: it fades in. */
const SETTLE_MS = 500
const MIN_WIDTH = 280
const MIN_HEIGHT = 320
/** Browsers round the position of a frame differently for each event. */
const MOVED_PX = 2

interface VisibilityEntry extends IntersectionObserverEntry {
  /** Intersection Observer v2, in Chromium. */
  readonly isVisible?: boolean
}

/**
 * Watches a sheet. It is armed once the sheet has been visible in full for half a second, in a frame of full size that does not move.
 * In Chromium, visible means that nothing covers the sheet and that no effect changes it.
 */
export function guardSheet({ sheet, window, changed, now = () => performance.now() }: GuardOptions): Guard {
  let isSeen = false
  /** When that changed, or the sheet moved. */
  let since = now()
  let state: GuardState = 'settling'
  let position: { readonly x: number; readonly y: number } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function update() {
    clearTimeout(timer)
    const wait = SETTLE_MS - (now() - since)
    const next =
      window.innerWidth < MIN_WIDTH || window.innerHeight < MIN_HEIGHT
        ? 'small'
        : wait > 0
          ? 'settling'
          : isSeen
            ? 'armed'
            : 'covered'
    if (next === 'settling') timer = setTimeout(update, wait)
    if (next === state) return
    state = next
    changed(state)
  }

  function restart() {
    since = now()
    update()
  }

  // The options and the entry's field are those of version 2, which other browsers ignore.
  const options = {
    threshold: [0, 0.5, 0.99, 1],
    trackVisibility: true,
    delay: 100,
  } as IntersectionObserverInit
  const observer = new IntersectionObserver((entries) => {
    const entry = entries.at(-1) as VisibilityEntry | undefined
    const seen = entry !== undefined && entry.intersectionRatio >= 0.99 && entry.isVisible !== false
    if (seen !== isSeen) since = now()
    isSeen = seen
    update()
  }, options)
  observer.observe(sheet)

  /** A frame that moves below the pointer changes the difference between the two positions of an event. */
  function track({ screenX, screenY, clientX, clientY, isTrusted }: MouseEvent) {
    if (!isTrusted) return
    const next = { x: screenX - clientX, y: screenY - clientY }
    const isMoved =
      position !== undefined &&
      (Math.abs(next.x - position.x) > MOVED_PX || Math.abs(next.y - position.y) > MOVED_PX)
    position = next
    if (isMoved) restart()
  }

  const pointerEvents = ['pointermove', 'pointerdown', 'pointerup', 'click'] as const
  for (const type of pointerEvents) window.addEventListener(type, track, true)
  window.addEventListener('resize', restart)

  return {
    accepts: ({ isTrusted }) => isTrusted && state === 'armed',
    stop() {
      clearTimeout(timer)
      observer.disconnect()
      for (const type of pointerEvents) window.removeEventListener(type, track, true)
      window.removeEventListener('resize', restart)
    },
  }
}
