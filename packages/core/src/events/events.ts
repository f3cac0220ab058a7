import type { EventListener, Events } from '../types/events.ts'

/** A listener that throws is reported and does not keep the others from hearing. */
export function createEvents(): Events {
  const listeners = new Set<EventListener>()

  return {
    emit(event) {
      for (const listener of [...listeners]) {
        try {
          listener(event)
        } catch (error) {
          console.error('[hawser] event listener failed', error)
        }
      }
    },
    subscribe(listener) {
      const own: EventListener = (event) => listener(event)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
  }
}
