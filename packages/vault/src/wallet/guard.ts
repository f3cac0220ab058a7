/** Why a button can or cannot be pressed. */
export type GuardState =
  /** The button may be pressed. */
  | 'armed'
  /** It was shown, covered, moved, focused or pointed at too recently for a person to have read it, or for a notice. */
  | 'settling'
  /** Something covers it, fades it, scales it or cuts it off. */
  | 'covered'
  /** The frame is too small to read. */
  | 'small'

interface GuardOptions {
  /** What the user must see whole. */
  readonly sheet: Element
  /** The part of it that scrolls; undefined if nothing does. */
  readonly content?: Element | undefined
  readonly window: Window
  readonly changed: (state: GuardState) => void
  /** Monotonic milliseconds. */
  readonly now?: () => number
}

/** A guard against clicks that a page steals: by covering, fading, scaling or moving the frame, or with a window on top of it. */
export interface Guard {
  /** Reports whether a click is the user's own choice. Only events of the browser count, not those of a script. */
  accepts(event: MouseEvent): boolean
  /** Disarms for half a second, because what is shown has changed. */
  restart(): void
  stop(): void
}

/** How long the sheet must have been seen before it is armed, and unseen before that is said: it fades in. */
const SETTLE_MS = 500
const MIN_WIDTH = 280
const MIN_HEIGHT = 320
/** Of what the decision is about, between the title and the buttons, unless it is shorter. */
const MIN_CONTENT_HEIGHT = 140
/** Browsers round the position of a frame differently for each event. */
const MOVED_PX = 2

interface VisibilityEntry extends IntersectionObserverEntry {
  /** Intersection Observer v2, in Chromium. */
  readonly isVisible?: boolean
}

/** What tells that the window may have been below another one, or that the user comes from elsewhere. */
const arrivals = ['focus', 'blur', 'pageshow', 'resize'] as const
const pointerEvents = ['pointerover', 'pointermove', 'pointerdown', 'pointerup', 'click'] as const

/**
 * Watches what a click decides about. It is armed once it has been visible in full for half a second, in a focused document of full size that does not
 * move; focus, blur, a resize and a pointer that comes in from outside start that again. In Chromium, visible means that nothing covers it and
 * that no effect changes it.
 */
export function guardSheet({
  sheet,
  content,
  window,
  changed,
  now = () => performance.now(),
}: GuardOptions): Guard {
  const { document } = window
  let isSeen = false
  /** When that changed, or anything else that starts the wait again. */
  let since = now()
  let state: GuardState = 'settling'
  /** Of the document on the screen. */
  let position: Point | undefined
  /** Of the pointer in the document. */
  let pointer: Point | undefined
  /** Where the pointer was then; a mouse has to move from there before its click counts. */
  let start: Point | undefined
  let hasMoved = false
  /** Whether the pointer was pressed in this document while it was armed. */
  let isPressed = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function update() {
    clearTimeout(timer)
    const wait = SETTLE_MS - (now() - since)
    const next =
      window.innerWidth < MIN_WIDTH || window.innerHeight < MIN_HEIGHT || isCutOff(content)
        ? 'small'
        : wait > 0 || !document.hasFocus()
          ? 'settling'
          : isSeen
            ? 'armed'
            : 'covered'
    if (wait > 0) timer = setTimeout(update, wait)
    if (next === state) return
    state = next
    changed(state)
  }

  function restart() {
    since = now()
    isPressed = false
    hasMoved = false
    start = pointer
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
    if (seen === isSeen) return update()
    isSeen = seen
    isPressed = false
    since = now()
    update()
  }, options)
  observer.observe(sheet)

  function track(event: MouseEvent) {
    if (!event.isTrusted) return
    const { type, screenX, screenY, clientX, clientY, relatedTarget } = event
    // A touch has no place before it presses.
    const isTouch = (event as PointerEvent).pointerType === 'touch'
    const isEntry = type === 'pointerover' && relatedTarget === null && !isTouch
    // A frame that moves below the pointer changes the difference between the two positions of an event.
    const next = { x: screenX - clientX, y: screenY - clientY }
    const isMoved = position !== undefined && isApart(position, next, MOVED_PX)
    position = next
    pointer = { x: clientX, y: clientY }
    if (isEntry || isMoved) restart()
    if (type === 'pointermove') {
      start ??= pointer
      hasMoved ||= isApart(start, pointer, 0)
    }
    if (type === 'pointerdown') isPressed = state === 'armed' && (hasMoved || isTouch)
  }

  /** A key that is held down has been pressed elsewhere. */
  function trackKey({ repeat }: KeyboardEvent) {
    if (repeat) restart()
  }

  for (const type of pointerEvents) window.addEventListener(type, track, true)
  for (const type of arrivals) window.addEventListener(type, restart)
  window.addEventListener('keydown', trackKey, true)
  document.addEventListener('visibilitychange', restart)

  return {
    accepts({ isTrusted, detail }) {
      if (!isTrusted || state !== 'armed' || !document.hasFocus()) return false
      // A click of the keyboard, or of a screen reader, has no count.
      return detail === 0 || (detail === 1 && isPressed)
    },
    restart,
    stop() {
      clearTimeout(timer)
      observer.disconnect()
      for (const type of pointerEvents) window.removeEventListener(type, track, true)
      for (const type of arrivals) window.removeEventListener(type, restart)
      window.removeEventListener('keydown', trackKey, true)
      document.removeEventListener('visibilitychange', restart)
    },
  }
}

interface Point {
  readonly x: number
  readonly y: number
}

const isApart = (a: Point, b: Point, most: number) => Math.abs(a.x - b.x) > most || Math.abs(a.y - b.y) > most

/** Reports whether so little of the content is shown that it cannot be read. */
function isCutOff(content: Element | undefined): boolean {
  if (!content) return false
  const { clientHeight, scrollHeight } = content
  return clientHeight < Math.min(MIN_CONTENT_HEIGHT, scrollHeight)
}
