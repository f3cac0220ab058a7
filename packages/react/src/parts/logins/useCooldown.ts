import { emailCooldown } from '@hawser/core'
import { useEffect, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'

/** Returns the seconds until another mail may be sent; 0 once it may. */
export function useCooldown(): number {
  const hawser = useHawser()
  const [seconds, setSeconds] = useState(() => emailCooldown(hawser))
  useEffect(() => {
    let cancel: () => void = () => undefined
    function tick() {
      setSeconds(emailCooldown(hawser))
      cancel = hawser.clock.after(1_000, tick)
    }
    tick()
    return () => cancel()
  }, [hawser])
  return seconds
}
