import type { EmbeddedWalletEvents } from './types.ts'

/** The subscribers of an embedded wallet. */
export interface WalletEvents {
  emit<E extends keyof EmbeddedWalletEvents>(event: E, payload: EmbeddedWalletEvents[E]): void
  /** Subscribes; returns a function that ends this. */
  on<E extends keyof EmbeddedWalletEvents>(
    event: E,
    listener: (payload: EmbeddedWalletEvents[E]) => void,
  ): () => void
}

type Listeners = { [E in keyof EmbeddedWalletEvents]: Set<(payload: EmbeddedWalletEvents[E]) => void> }

/** Creates events without subscribers. */
export function createWalletEvents(): WalletEvents {
  const listeners: Listeners = {
    approval: new Set(),
    approvalEnd: new Set(),
    height: new Set(),
    accountsChanged: new Set(),
    chainChanged: new Set(),
    signedOut: new Set(),
    notAllowed: new Set(),
    dismissed: new Set(),
  }
  return {
    emit(event, payload) {
      for (const listener of [...listeners[event]]) listener(payload)
    },
    on(event, listener) {
      listeners[event].add(listener)
      return () => listeners[event].delete(listener)
    },
  }
}
