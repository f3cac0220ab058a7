import type { FrameTexts } from '@hawser/texts/frame/texts'
import { type Guard, type GuardState, guardSheet } from '@hawser/vault'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/**
 * Guards a decision against clicks that a page steals.
 *
 * @param shown what the decision is about: when it changes, the user has to have read it again
 */
export function useGuard<Watched extends HTMLElement>(shown?: unknown) {
  const watched = useRef<Watched>(null)
  const guard = useRef<Guard>(null)
  const [state, setState] = useState<GuardState>('settling')
  useEffect(() => {
    if (!watched.current) return
    // The guard waits until the document is focused, and the user may not have clicked in it yet.
    if (!document.hasFocus()) window.focus()
    const content = watched.current.querySelector('.content') ?? undefined
    guard.current = guardSheet({ sheet: watched.current, content, window, changed: setState })
    return () => guard.current?.stop()
  }, [])
  // Before it is painted: a click that comes with it would be about what was shown before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change is all that matters
  useLayoutEffect(() => guard.current?.restart(), [shown])
  return {
    watched,
    state,
    /** Wraps a handler so that only an armed click of the user calls it. */
    guarded: (action: () => void) => (event: MouseEvent) => {
      if (guard.current?.accepts(event)) action()
      else event.preventDefault()
    },
  }
}

/** Returns why a button cannot be pressed yet; undefined when it can, and while the sheet settles. */
export function guardNotice(state: GuardState, { sheet }: FrameTexts): string | undefined {
  return state === 'covered' || state === 'small' ? sheet[state] : undefined
}
