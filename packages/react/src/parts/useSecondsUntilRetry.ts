import { BALANCE_RETRY_WINDOW_MS } from '@hawser/core'
import { useEffect, useState } from 'react'
import { useHawser } from '../hooks/useHawser.ts'

/** Whole seconds, rounded up, until a failed balance request (at `lastRetry`, Unix ms) may be made again. */
export function useSecondsUntilRetry(lastRetry: number): number {
  const { clock } = useHawser()
  const [now, setNow] = useState(() => clock.now())
  const remaining = Math.max(0, lastRetry + BALANCE_RETRY_WINDOW_MS - now)
  useEffect(() => {
    if (remaining === 0) return
    return clock.after(Math.min(1000, remaining), () => setNow(clock.now()))
  }, [clock, remaining])
  return Math.ceil(remaining / 1000)
}
