import { useEffect, useState } from 'react'
import { useHawser } from '../hooks/useHawser.ts'

/** Reports whether this many milliseconds have passed since `isRunning` became true. */
export function useHasPassed(ms: number, isRunning: boolean): boolean {
  const { clock } = useHawser()
  const [hasPassed, setHasPassed] = useState(false)
  useEffect(() => {
    setHasPassed(false)
    if (isRunning) return clock.after(ms, () => setHasPassed(true))
  }, [clock, ms, isRunning])
  return isRunning && hasPassed
}
