type Listener = (payload: never) => void

/** The event half of an EIP-1193 provider. */
interface Listeners {
  add(event: string, listener: Listener): void
  remove(event: string, listener: Listener): void
  emit(event: string, payload: unknown): void
}

export function createListeners(): Listeners {
  const byEvent = new Map<string, Set<Listener>>()

  return {
    add(event, listener) {
      byEvent.set(event, (byEvent.get(event) ?? new Set()).add(listener))
    },
    remove(event, listener) {
      byEvent.get(event)?.delete(listener)
    },
    emit(event, payload) {
      for (const listener of [...(byEvent.get(event) ?? [])]) listener(payload as never)
    },
  }
}
