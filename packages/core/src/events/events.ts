import type { EventListener, Events } from '../types/events.ts'

/** Creates an event emitter. A listener that throws is logged, and the other listeners are called all the same. */
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
