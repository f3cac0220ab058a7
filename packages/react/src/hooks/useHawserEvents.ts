import type { EventListener } from '@hawser/core'
import { useEffect } from 'react'
import { useHawser } from './useHawser.ts'

/** Calls the listener for every event while the component is mounted. Pass a stable function. */
export function useHawserEvents(listener: EventListener): void {
  const hawser = useHawser()
  useEffect(() => hawser.events.subscribe(listener), [hawser, listener])
}
