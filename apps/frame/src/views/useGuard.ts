import { type Guard, type GuardState, guardSheet } from '@hawser/frame/wallet'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Texts } from '../locale/texts.ts'

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

/** Returns why a button cannot be pressed yet; undefined when it can, and while the sheet settles. */
export function guardNotice(state: GuardState, { sheet }: Texts): string | undefined {
  return state === 'covered' || state === 'small' ? sheet[state] : undefined
}
