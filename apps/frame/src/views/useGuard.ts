import { type Guard, type GuardState, guardSheet } from '@hawser/frame/wallet'
import { useEffect, useRef, useState } from 'preact/hooks'

/** Guards a sheet against clicks that the embedding page steals. */
export function useGuard() {
  const sheet = useRef<HTMLElement>(null)
  const guard = useRef<Guard>(null)
  const [state, setState] = useState<GuardState>('settling')
  useEffect(() => {
    if (!sheet.current) return
    guard.current = guardSheet({ sheet: sheet.current, window, changed: setState })
    return () => guard.current?.stop()
  }, [])
  return {
    sheet,
    state,
    /** Wraps a handler so that only an armed click of the user calls it. */
    guarded: (action: () => void) => (event: MouseEvent) => {
      if (guard.current?.accepts(event)) action()
    },
  }
}

/** Says why a button cannot be pressed yet; undefined while it only settles. */
export function guardNotice(state: GuardState): string | undefined {
  if (state === 'covered')
    return 'Something covers this window. Nothing can be approved until it is visible as a whole.'
  return state === 'small' ? 'This window is too small to approve anything.' : undefined
}
