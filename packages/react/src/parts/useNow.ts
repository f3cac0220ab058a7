import { useEffect, useState } from 'react'
import { useHawser } from '../hooks/useHawser.ts'

/** Returns Unix milliseconds, updated at an interval. */
export function useNow(everyMs: number): number {
  const { clock } = useHawser()
  const [now, setNow] = useState(() => clock.now())
  useEffect(() => {
    const remaining = Math.max(0, now + everyMs - clock.now())
    return clock.after(remaining, () => setNow(clock.now()))
  }, [clock, everyMs, now])
  return now
}
